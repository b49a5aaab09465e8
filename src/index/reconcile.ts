import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { readIndexed } from "./fill-index.ts";
import { isIndexed, type IndexedFile } from "./search-index.ts";
import type { SqliteIndex } from "./lexical/sqlite-index.ts";

export interface Reconciled {
  readonly put: number;
  readonly removed: number;
}

const MANY = 200;

/**
 * Makes the index equal to the vault: compares every file's inode, size and time with what was indexed, and reads only those that
 * differ.
 * @param onFile called after each file that had to be read, with how many of how many are done
 */
export async function reconcile(
  vault: VaultReader,
  index: SqliteIndex,
  onFile?: (done: number, total: number) => void,
): Promise<Reconciled> {
  const { changed, gone } = await changesOf(vault, index.signatures());
  for (const path of gone) await index.remove(path);
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
  return { put: changed.length, removed: gone.length };
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
