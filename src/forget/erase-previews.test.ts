import { readdirSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { temporaryFolder, writeFiles } from "../testing/temporary-vault.ts";
import { createVault } from "../vault/vault.ts";
import { erasePreviews } from "./erase-previews.ts";

it("removes the previews that hold it, in their copies or their history, and no other", async () => {
  const state = temporaryFolder();
  const at = (id: string): string => path.join(state, "previews", id);
  writeFiles(at("copy"), { "notes/a.md": "the secret word\n" });
  writeFiles(at("other"), { "notes/old/a.md": "nothing of it\n" });
  writeFiles(at("history"), { "notes/a.md": "nothing of it\n" });
  const copies = createVault({
    root: path.join(at("history"), "notes"),
    state: path.join(at("history"), "state"),
  });
  const author = { actor: "test", call: "write", batch: null };
  // Long enough to be compressed there.
  const text = Buffer.from("word ".repeat(200) + "secret");
  await copies.change(author, async ({ writer }) => writer.create("old/b.md", text));
  await copies.change(author, async ({ writer }) => writer.remove("old/b.md"));
  copies.close();

  const needles = { texts: [Buffer.from("secret")] };
  const held = { needles, erasure: needles };
  expect(await erasePreviews(state, held, true)).toBe(2);
  expect(readdirSync(path.join(state, "previews"))).toHaveLength(3);
  expect(await erasePreviews(state, held, false)).toBe(2);
  expect(readdirSync(path.join(state, "previews"))).toEqual(["other"]);
  const ofPath = { needles: { texts: [Buffer.from("vault/old/a.md")] }, erasure: { path: "old" } };
  expect(await erasePreviews(state, ofPath, false)).toBe(1);
});
