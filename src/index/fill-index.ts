import { ExpectedError } from "../errors.ts";
import { plainValue } from "../vault/files/frontmatter.ts";
import { localTime, readTime } from "../text/local-time.ts";
import { splitLines } from "../vault/files/lines.ts";
import type { MeasuredFile } from "../vault/tree/measure.ts";
import { BOM } from "../text/utf8.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { isIndexed, type IndexedFile, type SearchIndex } from "./search-index.ts";

/** Every markdown file of the vault that belongs into an index. Files that cannot be read are skipped. */
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
    const written = readTime(plainValue(text, "updated") ?? "");
    const modified = new Date((await vault.get(path)).modified);
    return {
      path,
      text,
      updated: written ?? localTime(modified),
      signature: file.version.signature,
    };
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

/** A file that was measured, as an index takes it; null when its text was not kept. */
export function indexedFrom(path: VaultPath, { facts, text }: MeasuredFile): IndexedFile | null {
  if (text === null) return null;
  const lines = splitLines(text.startsWith(BOM) ? text.slice(BOM.length) : text);
  return { path, text: lines.join("\n"), updated: facts.changed, signature: facts.signature };
}

/** Puts all of the vault into an index. */
export async function fillIndex(vault: VaultReader, index: SearchIndex): Promise<void> {
  for await (const file of readIndexable(vault)) await index.put(file);
}
