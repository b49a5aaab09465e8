import { ExpectedError } from "../errors.ts";
import { updatedOf } from "../vault/files/frontmatter.ts";
import { localTime } from "../text/local-time.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { isIndexed, type IndexedFile, type SearchIndex } from "./search-index.ts";

/** Every markdown file of the vault that belongs into an index. Files that cannot be read are passed over. */
export async function* readIndexable(vault: VaultReader): AsyncGenerator<IndexedFile> {
  for await (const { path } of vault.walk("")) {
    if (!isIndexed(path)) continue;
    const file = await readIndexed(vault, path);
    if (file !== null) yield file;
  }
}

/** One file as an index takes it; null when it cannot be read. */
export async function readIndexed(
  vault: VaultReader,
  path: VaultPath,
): Promise<IndexedFile | null> {
  try {
    const file = await vault.openText(path);
    const lines = file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
    const text = lines.join("\n");
    const modified = new Date((await vault.get(path)).modified);
    return {
      path,
      text,
      updated: updatedOf(text) ?? localTime(modified),
      signature: file.version.signature,
    };
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

/** Puts all of the vault into an index. */
export async function fillIndex(vault: VaultReader, index: SearchIndex): Promise<void> {
  for await (const file of readIndexable(vault)) await index.put(file);
}
