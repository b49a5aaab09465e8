import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { sameDay } from "./same-day.ts";

const twice =
  "# 2026-11-14\n\n## One\nfirst\n\n# 2026-11-12\n\n## Two\nsecond\n\n# 2026-11-14\n\n## [décision] Trois\ntroisième\n\n# 2026-11-14\n\n## Four\n";

it("puts the entries of one day under its first heading, and changes nothing else", async () => {
  const { find, apply, read } = look({ "projects/a/changelog.md": twice }, sameDay.find);
  const found = await find();
  expect(found.map(({ title }) => title)).toEqual([
    {
      en: "vault/projects/a/changelog.md: 2 more headings of a day that has one already, put under the first",
      fr: "vault/projects/a/changelog.md : 2 titres de plus pour un jour qui en a déjà un, à mettre sous le premier",
    },
  ]);
  await apply(found);
  expect(read("projects/a/changelog.md")).toBe(
    "# 2026-11-14\n\n## One\nfirst\n\n## [décision] Trois\ntroisième\n\n## Four\n\n# 2026-11-12\n\n## Two\nsecond\n",
  );
  expect(await find()).toEqual([]);
});

it("keeps frontmatter, byte-order mark and line endings", async () => {
  const text = "\uFEFF---\r\nown: yes\r\n---\r\n\r\n# 2026-11-14\r\n\r\na\r\n# 2026-11-14\r\nb\r\n";
  const { find, apply, read } = look({ "changelog.md": text, "projects/a/x.md": "" }, sameDay.find);
  await apply(await find());
  expect(read("changelog.md")).toBe(
    "\uFEFF---\r\nown: yes\r\n---\r\n\r\n# 2026-11-14\r\n\r\na\r\n\r\nb\r\n",
  );
});

it.each([
  ["a day in a fence", { "changelog.md": "# 2026-11-14\n\n```\n# 2026-11-14\n```\n" }],
  ["another level", { "changelog.md": "# 2026-11-14\n\n## 2026-11-14\n" }],
  ["a version", { "changelog.md": "# 1.0\n\n# 1.0\n" }],
  [
    "a vault with another structure",
    { "changelog.md": "# 2026-11-14\n\n# 2026-11-14\n", "Areas/a.md": "" },
  ],
  ["a note of another name", { "projects/a/log.md": twice }],
])("finds nothing in %s", async (_, files) => {
  expect(await titlesOf(files, sameDay)).toEqual([]);
});
