import { ExpectedError } from "../errors.ts";
import { updatedOf } from "../vault/files/frontmatter.ts";
import { localTime } from "../text/local-time.ts";
import { splitLines } from "../vault/files/lines.ts";
import type { MeasuredFile } from "../vault/files/measure.ts";
import { BOM } from "../text/utf8.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { isIndexed, type IndexedFile, type SearchIndex } from "./search-index.ts";

/** More changed files than this are loaded in bulk. */
const MANY = 200;

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
    const updated = updatedOf(text) ?? localTime(new Date((await vault.get(path)).modified));
    return { path, text, updated, signature: file.version.signature };
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
  await index.load(readIndexable(vault));
}

/**
 * Makes the index equal to the vault: reads only the files whose version differs from the indexed one.
 * @param onFile called after each file that had to be read, with how many of how many are done
 */
export async function reconcile(
  vault: VaultReader,
  index: SearchIndex,
  onFile?: (done: number, total: number) => void,
): Promise<{ readonly changed: number; readonly gone: number }> {
  const { changed, gone } = await changesOf(vault, await index.signatures());
  await index.apply({ put: [], gone });
  let done = 0;
  async function* read(): AsyncGenerator<IndexedFile> {
    for (const path of changed) {
      const file = await readIndexed(vault, path);
      done += 1;
      onFile?.(done, changed.length);
      if (file !== null) yield file;
    }
  }
  if (changed.length > MANY) await index.load(read());
  else for await (const file of read()) await index.put(file);
  return { changed: changed.length, gone: gone.length };
}

/** The files that differ from what is indexed, and those that are gone. */
export async function changesOf(
  vault: VaultReader,
  signatures: ReadonlyMap<VaultPath, string>,
): Promise<{ readonly changed: readonly VaultPath[]; readonly gone: readonly VaultPath[] }> {
  const known = new Map(signatures);
  const changed: VaultPath[] = [];
  for await (const { path } of vault.walk("")) {
    if (!isIndexed(path)) continue;
    const found = await vault.find(path);
    if (found.kind !== "file") continue;
    if (known.get(path) !== found.version) changed.push(path);
    known.delete(path);
  }
  return { changed, gone: [...known.keys()] };
}
