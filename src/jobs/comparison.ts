import { ExpectedError } from "../errors.ts";
import { isIndexed } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { Scanned } from "../vault/scan.ts";
import type { FileFacts } from "../vault/files/measure.ts";
import type { LocalVault, VaultItem, VaultReader } from "../vault/vault.ts";
import type { ProcessedFiles } from "./processed-files.ts";

/** The vault as it is on disk, compared with what was processed. */
export interface Comparison {
  /** Folders, and the files that were processed with what was measured then. */
  readonly measured: readonly { path: VaultPath; facts: FileFacts | null; isLink: boolean }[];
  readonly links: readonly VaultPath[];
  /** Temporary files of killed processes, for `vault.sweep`. */
  readonly leftovers: readonly string[];
  /** Files of another version than the one processed last, or that are missing from the index. */
  readonly changed: readonly VaultPath[];
  /** Files that look the same, but were processed so soon after a change that another could have the same time. */
  readonly unsure: readonly VaultPath[];
  /** Files that were processed or indexed, and no longer exist. */
  readonly gone: readonly VaultPath[];
}

/**
 * Compares every file's name, size and time.
 * @param indexed the signatures of the files in the index
 * @returns an alarm when the vault cannot be read, or is empty though files were processed
 */
export async function compareWithDisk(
  vault: LocalVault,
  processed: ProcessedFiles,
  indexed: ReadonlyMap<VaultPath, string>,
): Promise<Comparison | string> {
  let scanned: readonly Scanned[];
  try {
    scanned = await vault.scan();
  } catch (error) {
    if (error instanceof ExpectedError) return error.message;
    throw error;
  }
  const missing = new Set([...processed.paths(), ...indexed.keys()]);
  const measured: Comparison["measured"][number][] = [];
  const links: VaultPath[] = [];
  const leftovers: string[] = [];
  const changed: VaultPath[] = [];
  const unsure: VaultPath[] = [];
  let isEmptied = processed.size > 0;
  for (const each of scanned) {
    const { path } = each;
    if (each.kind === "leftover") leftovers.push(path);
    else if (each.kind === "folder") measured.push({ path, facts: null, isLink: false });
    else {
      isEmptied = false;
      missing.delete(path);
      if (each.isLink) links.push(path);
      const known = processed.get(path);
      if (known !== undefined) measured.push({ path, facts: known.facts, isLink: each.isLink });
      const isKnown = known?.facts.signature === each.signature;
      const isSearchable = !isIndexed(path) || indexed.get(path) === each.signature;
      if (!isKnown || !isSearchable) changed.push(path);
      else if (known.isFresh) unsure.push(path);
      // Missing from the index: clear its signature, so that it is processed again.
      if (isKnown && !isSearchable) processed.invalidate(path);
    }
  }
  if (isEmptied) return emptyAlarm(vault, processed);
  return { measured, links, leftovers, changed, unsure, gone: [...missing] };
}

export async function isEmpty(vault: VaultReader): Promise<boolean> {
  try {
    return (await vault.list("")).length === 0;
  } catch {
    return true;
  }
}

export function emptyAlarm({ root }: LocalVault, { size }: ProcessedFiles): string {
  return `The vault ${root} is empty or cannot be read, though ${size} files are known. Nothing was forgotten. Is its disk mounted, its folder moved?`;
}

/**
 * Finds the files that a batch of paths stands for, and measures the totals of folders and missing paths again.
 * @returns `files`: those named, and those in folders named; `gone`: those processed that no longer exist; `unknown`: paths that do not
 * exist and were never processed, which the index may still have
 */
export async function expandPaths<Stage>(
  vault: LocalVault,
  processed: ProcessedFiles,
  batch: ReadonlyMap<VaultPath, Stage>,
): Promise<{ files: Map<VaultPath, Stage>; gone: VaultPath[]; unknown: VaultPath[] }> {
  const files = new Map<VaultPath, Stage>();
  const gone = new Set<VaultPath>();
  const unknown: VaultPath[] = [];
  for (const [path, stage] of batch) {
    const found = await findReachable(vault, path);
    if (found?.kind === "file") {
      files.set(path, stage);
      continue;
    }
    const known = new Set(processed.under(path));
    if (found === null && known.size === 0) unknown.push(path);
    if (found?.kind === "folder") {
      for await (const { path: inside } of vault.walk(path)) {
        if (!files.has(inside)) files.set(inside, stage);
        known.delete(inside);
      }
    }
    for (const each of known)
      if ((await findReachable(vault, each))?.kind !== "file") gone.add(each);
    vault.totals.refresh(path);
  }
  return { files, gone: [...gone], unknown };
}

/** What is at a path; null when nothing is there, or it cannot be reached. */
export async function findReachable(
  vault: VaultReader,
  path: VaultPath,
): Promise<VaultItem | null> {
  try {
    const found = await vault.find(path);
    return found.kind === "missing" ? null : found;
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
