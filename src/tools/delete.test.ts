import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";

const FILES = {
  "d/a.md": "x".repeat(400),
  "d/e/b.md": "y".repeat(80),
  "overview.md": "o\n",
  "f.md": "f\n",
};

it("deletes a folder with all under it, counts it, and the history id brings it back", async () => {
  const vault = temporaryVault(FILES);
  const result = await callerOf(vault).update("delete", { path: "vault/d/" });
  expect(textOf(result)).toMatch(
    /^Deleted vault\/d\/: 2 files, 120 tokens\. History: \w+; undo brings it back\.$/u,
  );
  expect(existsSync(path.join(vault.root, "d"))).toBe(false);
  await vault.undo(String(Object(result.structured).history), { actor: "test", force: false });
  expect(readFileSync(path.join(vault.root, "d/e/b.md"), "utf8")).toBe("y".repeat(80));
});

it.each([
  ["", "protected"],
  ["vault/overview.md", "protected"],
  ["changelog.md", "protected"],
  ["rien.md", "not_found"],
  ["f.md/", "not_a_folder"],
  ["../d", "outside_vault"],
  ["d/.git", "outside_vault"],
])("refuses %j", async (given, code) => {
  const vault = temporaryVault(FILES);
  const result = await callerOf(vault).update("delete", { path: given });
  expect(result.structured).toMatchObject({ error: { code } });
  expect(await Array.fromAsync(vault.walk(""))).toHaveLength(4);
});
