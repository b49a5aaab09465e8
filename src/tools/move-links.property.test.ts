import { expect, it } from "vitest";
import fc from "fast-check";

import { MemoryIndex } from "../index/create-index.ts";
import { fillIndex } from "../index/fill-index.ts";
import { isIndexed, type FileLink } from "../index/search-index.ts";
import { moves, texts, vaults } from "../index/relink/testing/linked-vaults.ts";
import { VaultLinks } from "../index/vault-links.ts";
import { callerOf, temporaryVault } from "../testing/temporary-vault.ts";
import { isUnder, type VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";

/** What every link of the vault means, note by note. */
async function meanings(vault: LocalVault): Promise<Map<VaultPath, FileLink[]>> {
  const index = new MemoryIndex();
  await fillIndex(vault, index);
  const links = new VaultLinks(async () => index.links, vault);
  const found = new Map<VaultPath, FileLink[]>();
  for await (const { path: file } of vault.walk("")) found.set(file, await links.from(file));
  await index.close();
  return found;
}

it("after any moves and renames, every link that resolved still resolves to the same note", async () => {
  const checked = fc.assert(
    fc.asyncProperty(vaults, moves, async (notes, steps) => {
      const vault = temporaryVault(Object.fromEntries(texts(notes)));
      const caller = callerOf(vault);
      for (const { pick, to, isFolder } of steps) {
        const paths = (await Array.fromAsync(vault.walk(""))).map((file) => file.path);
        const chosen = paths[pick % paths.length] ?? "";
        const from = isFolder && chosen.includes("/") ? (chosen.split("/")[0] ?? "") : chosen;
        const before = await meanings(vault);
        const result = await caller.update("move", { from, to });
        const { links, to: shown } = Object(result.structured);
        if (result.isError || links === null) continue;
        const goal = String(shown)
          .replace(/^vault\//u, "")
          .replace(/\/$/u, "");
        const now = (file: VaultPath): VaultPath =>
          isUnder(file, from) ? goal + file.slice(from.length) : file;
        const after = await meanings(vault);
        if (links.left > 0) continue;
        for (const [file, old] of before) {
          // The index knows no links of what it does not hold.
          if (!isIndexed(now(file))) continue;
          const wanted = old.map(({ to: meant }) => (meant === null ? null : now(meant)));
          const found = after.get(now(file)) ?? [];
          for (const [at, meant] of wanted.entries())
            if (meant !== null) expect(found[at]?.to, `${file}: ${old[at]?.target}`).toBe(meant);
        }
      }
    }),
    { numRuns: 12 },
  );
  await expect(checked).resolves.toBeUndefined();
});
