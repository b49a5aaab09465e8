import { describe, expect, it } from "vitest";

import { diffRows } from "./diff-rows.ts";

const DIFF = `--- vault/a.md
+++ vault/a.md
@@ -1,3 +1,3 @@
 # A
-Start not known.
+Start on the 20th.
 end
@@ -10,1 +10,2 @@
 ten
+eleven
`;

describe("a diff", () => {
  it("becomes rows with the numbers of their lines", () => {
    expect(diffRows(DIFF).map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ["same", 1, 1],
      ["removed", 2, null],
      ["added", null, 2],
      ["same", 3, 3],
      ["gap", null, null],
      ["same", 10, 10],
      ["added", null, 11],
    ]);
  });

  it("shows what differs within a line", () => {
    const changed = diffRows(DIFF)
      .flatMap(({ pieces }) => pieces)
      .filter(({ isChanged }) => isChanged)
      .map(({ text }) => text);
    expect(changed).toEqual(["not known", "on the 20th"]);
  });

  it("takes lines that begin like its own marks for what they are", () => {
    const rows = diffRows("--- a\n+++ a\n@@ -1,1 +1,1 @@\n--- x\n+++ y\n");
    expect(rows.map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });

  it("has no rows when nothing differs", () => {
    expect(diffRows("")).toEqual([]);
  });
});
