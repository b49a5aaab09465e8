import { expect, it } from "vitest";

import { movedText, withExtension } from "./file-changes.ts";

const FILES = [{ path: "vault/projects/loft/plan.md" }, { path: "vault/diary.md" }];

it.each([
  ["vault/diary.md", "vault/journal", "vault/journal.md"],
  ["vault/diary.md", "notes v1.2", "notes v1.2.md"],
  ["vault/diary.Markdown", "vault/journal", "vault/journal.Markdown"],
  ["vault/diary.md", "vault/journal.txt", "vault/journal.txt"],
  ["vault/diary.md", "vault/projects/", "vault/projects/"],
  // Into a folder that is there.
  ["vault/diary.md", "vault/projects/loft", "vault/projects/loft"],
  ["vault/diary.md", "/projects", "/projects"],
  ["vault/projects/", "vault/works", "vault/works"],
  ["vault/boat.png", "vault/ship", "vault/ship"],
])("%s that is renamed to %s becomes %s", (path, to, becomes) => {
  expect(withExtension(path, to, FILES)).toBe(becomes);
});

it("says which links could not follow, as the tool does", () => {
  const links = { rewritten: 2, left: 3, left_in: ["vault/a.md", "vault/b.md"] };
  expect(movedText("vault/c.md", links)).toBe(
    "Moved to vault/c.md; 2 links rewritten. 3 links to the old path could not be changed: vault/a.md, vault/b.md.",
  );
  const many = Array.from({ length: 7 }, (_, at) => `vault/${at}.md`);
  expect(movedText("vault/c.md", { rewritten: 0, left: 7, left_in: many })).toMatch(
    /^Moved to vault\/c\.md\. 7 links .*: vault\/0\.md, .*vault\/4\.md and 2 more\.$/u,
  );
  expect(movedText("vault/c.md", { rewritten: 0, left: 0, left_in: [] })).toBe(
    "Moved to vault/c.md.",
  );
});
