import { describe, expect, it } from "vitest";

import type { Hunk } from "../../src/server/api/contract.ts";
import { diffRows } from "./diff-rows.ts";

const HUNKS: readonly Hunk[] = [
  {
    oldStart: 1,
    newStart: 1,
    lines: [
      { kind: "same", text: "# A" },
      { kind: "removed", text: "Start not known." },
      { kind: "added", text: "Start on the 20th." },
      { kind: "same", text: "end" },
    ],
  },
  {
    oldStart: 10,
    newStart: 10,
    lines: [
      { kind: "same", text: "ten" },
      { kind: "added", text: "eleven" },
    ],
  },
];

describe("a diff", () => {
  it("becomes rows with the numbers of their lines", () => {
    expect(diffRows(HUNKS).map(({ kind, before, after }) => [kind, before, after])).toEqual([
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
    const changed = diffRows(HUNKS)
      .flatMap(({ pieces }) => pieces)
      .filter(({ isChanged }) => isChanged)
      .map(({ text }) => text);
    expect(changed).toEqual(["not known", "on the 20th"]);
  });

  it("has no numbers where the place of a change is not known", () => {
    const rows = diffRows([
      { oldStart: null, newStart: null, lines: [{ kind: "added", text: "x" }] },
    ]);
    expect(rows).toMatchObject([{ kind: "added", before: null, after: null }]);
  });

  it("has no rows when nothing differs", () => {
    expect(diffRows([])).toEqual([]);
  });
});
