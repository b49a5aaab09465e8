import { plainValue } from "../vault/frontmatter.ts";
import { localTime, readTime } from "../vault/local-time.ts";
import { ExpectedError } from "../vault/errors.ts";
import type { VaultReader } from "../vault/vault.ts";
import { isIndexed, type SearchIndex } from "./search-index.ts";

/** Puts every markdown file of the vault that belongs there into an index. Files that cannot be read are passed over. */
export async function fillIndex(vault: VaultReader, index: SearchIndex): Promise<void> {
  for (const { path } of vault.walk("")) {
    if (!isIndexed(path)) continue;
    try {
      const file = await vault.openText(path);
      const lines = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
      const text = lines.join("\n");
      const written = readTime(plainValue(text, "updated") ?? "");
      const found = vault.get(path);
      await index.put({
        path,
        text,
        updated: written ?? localTime(new Date(Number(found.stat.mtimeMs))),
      });
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
    }
  }
}
