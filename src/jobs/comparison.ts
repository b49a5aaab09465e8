import { isIndexed } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultScanner } from "../vault/scan.ts";
import type { Records } from "./processed-files.ts";

/** The vault as it is on disk, beside what is known of it. */
export interface Comparison {
  readonly files: ReadonlyMap<VaultPath, { readonly isLink: boolean }>;
  readonly folders: readonly VaultPath[];
  /** What killed processes left unfinished, for `vault.sweep`. */
  readonly leftovers: readonly string[];
  /** Files of another version than the one processed last, or that are missing from the index. */
  readonly changed: readonly VaultPath[];
  /** Files that look the same, but were processed so soon after a change that another could have the same time. */
  readonly unsure: readonly VaultPath[];
  /** Files that are known, or indexed, and not there. */
  readonly gone: readonly VaultPath[];
}

/**
 * Looks at every file's name, size and time. Throws `unavailable` when the vault cannot be read.
 * @param indexed the signatures of the files in the index
 */
export async function compareWithDisk(
  vault: VaultScanner,
  records: Records,
  indexed: ReadonlyMap<VaultPath, string>,
): Promise<Comparison> {
  const files = new Map<VaultPath, { isLink: boolean }>();
  const folders: VaultPath[] = [];
  const leftovers: string[] = [];
  const changed: VaultPath[] = [];
  const unsure: VaultPath[] = [];
  for (const each of await vault.scan()) {
    if (each.kind === "leftover") leftovers.push(each.path);
    else if (each.kind === "folder") folders.push(each.path);
    else {
      const { path, signature } = each;
      files.set(path, each);
      const record = records.get(path);
      const isKnown = record?.facts.signature === signature;
      const isSearchable = !isIndexed(path) || indexed.get(path) === signature;
      if (isKnown && isSearchable) {
        if (record.isFresh) unsure.push(path);
        continue;
      }
      // Missing from the index: clear its signature, so that it is processed again.
      if (isKnown) records.distrust(path);
      changed.push(path);
    }
  }
  const known = new Set([...records.paths(), ...indexed.keys()]);
  return {
    files,
    folders,
    leftovers,
    changed,
    unsure,
    gone: [...known].filter((path) => !files.has(path)),
  };
}
