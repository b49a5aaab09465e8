import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { deadLinks } from "./dead-links.ts";

it("leads a dead link to the only file of that name", async () => {
  const files = {
    "projects/a/state.md":
      "# A\n[[bucket/2026-11-13-mail-plates|mail]] and [plan](../b/Ancien%20Plan.md#x), [[Sail Loft]].\n`[[Sail Loft]]`\n",
    "projects/b/bucket/post/2026-11-13-mail-plates.md": "x\n",
    "projects/c/ancien_plan.md": "x\n",
    "projects/c/sail-loft.md": "x\n",
  };
  const { find, apply, read } = look(files, deadLinks.find);
  const found = await find();
  expect(found).toHaveLength(1);
  expect(found[0]?.title.fr).toContain("vault/projects/a/state.md : bucket/2026-11-13-mail-plates");
  await apply(found);
  expect(read("projects/a/state.md")).toBe(
    "# A\n[[projects/b/bucket/post/2026-11-13-mail-plates|mail]] and [plan](../c/ancien_plan.md#x), [[projects/c/sail-loft]].\n`[[Sail Loft]]`\n",
  );
  expect(await find()).toEqual([]);
});

it("names those that could mean nothing, or several files, and changes none", async () => {
  const files = {
    "projects/a/state.md": "[[gone]] [[my-note]]\n",
    "projects/b/my_note.md": "x\n",
    "projects/c/my note.md": "x\n",
    "projects/c/bucket/mail.md": "[[nowhere at all]]\n",
  };
  const found = await look(files, deadLinks.find).find();
  expect(found.map(({ title, changes }) => [title.en, changes])).toEqual([
    [
      "Links to notes that are not there: vault/projects/a/state.md:1 (gone), vault/projects/a/state.md:1 (my-note)",
      [],
    ],
  ]);
});

it.each([
  ["notes to come, in a vault with another structure", { "Areas/a.md": "[[To be written]]\n" }],
  [
    "a folder that somebody else calls projects",
    { "projects/novel/chapter.md": "[[To be written]]\n", "Areas/a.md": "[[Later]]\n" },
  ],
  ["days to come", { "Daily/2026-11-18.md": "[[2026-11-19]]\n" }],
  ["templates", { "projects/a/templates/t.md": "[[{{date}}]] [[x]]\n" }],
  [
    "places in the same note, and the web",
    { "projects/a/x.md": "[[#y]] [a](https://b.example)\n" },
  ],
])("finds nothing in %s", async (_, files) => {
  expect(await titlesOf(files, deadLinks)).toEqual([]);
});
