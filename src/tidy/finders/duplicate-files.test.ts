import { existsSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { duplicateFiles } from "./duplicate-files.ts";

const stamped = (time: string, text: string): string =>
  `---\ncreated: ${time}\nupdated: ${time}\ntokens: 30\n---\n\n${text}`;
const MAIL = "Dear Polmear, the price is £4,280.\n";

it("keeps one of several files that say the same, whatever their times, and leads links to it", async () => {
  const files = {
    "bucket/mail.md": stamped("2026-11-01T10:00:00", MAIL),
    "projects/a/bucket/mail.md": stamped("2026-11-02T10:00:00", MAIL),
    "projects/a/bucket/other.md": stamped("2026-11-03T10:00:00", MAIL),
    "projects/a/state.md": "By [[bucket/mail]], [[projects/a/bucket/other|him]].\n",
    "tasks.md": "# Ask\nstatus: todo\n[[projects/a/bucket/mail]] [[projects/a/bucket/mail]]\n",
    "bucket/a.bin": new Uint8Array([0, 1, 2]),
    "bucket/b.bin": new Uint8Array([0, 1, 2]),
  };
  const { find, apply, read, vault } = look(files, duplicateFiles.find);
  const found = await find();
  expect(found.map(({ title }) => title.en)).toEqual([
    "vault/bucket/b.bin says the same as vault/bucket/a.bin, which stays",
    "vault/projects/a/bucket/other.md, vault/bucket/mail.md says the same as vault/projects/a/bucket/mail.md, which stays",
  ]);
  await apply(found);
  expect(existsSync(path.join(vault.root, "bucket/mail.md"))).toBe(false);
  expect(existsSync(path.join(vault.root, "bucket/b.bin"))).toBe(false);
  expect(read("projects/a/bucket/mail.md")).toContain(MAIL);
  // A line with links to two of them takes two rounds.
  await apply(await find());
  expect(read("projects/a/state.md")).toContain("[[projects/a/bucket/mail|him]]");
  expect(await find()).toEqual([]);
});

it.each([
  [
    "what two projects have each",
    { "projects/a/bucket/x.md": MAIL, "projects/b/bucket/x.md": MAIL },
  ],
  ["texts of one length", { "bucket/x.md": "abc\n", "bucket/y.md": "abd\n" }],
  [
    "notes with other keys",
    {
      "bucket/x.md": `---\nfrom: ann\n---\n${MAIL}`,
      "bucket/y.md": `---\nfrom: bob\n---\n${MAIL}`,
    },
  ],
  ["empty files", { "bucket/x.md": "", "bucket/y.md": "" }],
  ["files outside of buckets", { "projects/a/x.md": MAIL, "projects/a/y.md": MAIL }],
  [
    "a vault with another structure",
    { "bucket/x.md": MAIL, "bucket/y.md": MAIL, "Areas/a.md": "" },
  ],
])("finds nothing in %s", async (_, files) => {
  expect(await titlesOf(files, duplicateFiles)).toEqual([]);
});
