import { ExpectedError } from "../errors.ts";
import { isIndexed } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import { ignoredAmong, type Ignored, type Scanned } from "../vault/scan.ts";
import { estimateFacts, isSearchable, type FileFacts } from "../vault/files/measure.ts";
import type { LocalVault, VaultItem, VaultReader } from "../vault/vault.ts";
import type { ProcessedFile, ProcessedFiles } from "./processed-files.ts";
import { TimeSlice } from "./time-slice.ts";

/** Files compared between two looks at the clock. */
const CHECKED_TOGETHER = 500;

/** The vault as it is on disk, compared with what was processed. */
export interface Comparison {
  /** Folders, and files with what was measured when they were processed, or is estimated until they are. */
  readonly measured: readonly { path: VaultPath; facts: FileFacts | null; isLink: boolean }[];
  readonly links: readonly VaultPath[];
  /** Temporary files of killed processes, for `vault.sweep`. */
  readonly leftovers: readonly string[];
  /** Names that no path leads to, and why. */
  readonly unreachable: readonly { path: VaultPath; problem: string }[];
  /** Files of another version than the one processed last, or that are missing from the index. */
  readonly changed: readonly VaultPath[];
  /** Files that look the same, but were processed so soon after a change that another could have the same time. */
  readonly unsure: readonly VaultPath[];
  /** Files that have size and time of the version processed last, and were touched since: their content decides. */
  readonly touched: readonly VaultPath[];
  /** Files that were processed or indexed, and no longer exist. */
  readonly gone: readonly VaultPath[];
  readonly ignored: Ignored;
}

/**
 * Compares every file's name, size and time.
 * @param indexed the signatures of the files in the index; null when it is known to have what was processed
 * @returns an alarm when the vault cannot be read, or is empty though files were processed
 */
export async function compareWithDisk(
  vault: LocalVault,
  processed: ProcessedFiles,
  indexed: ReadonlyMap<VaultPath, string> | null,
): Promise<Comparison | string> {
  let scanned: readonly Scanned[];
  try {
    scanned = await vault.scan();
  } catch (error) {
    if (error instanceof ExpectedError) return error.message;
    throw error;
  }
  /** Of the files processed and indexed, how many are there. */
  let [stillProcessed, stillIndexed] = [0, 0];
  const measured: Comparison["measured"][number][] = [];
  const links: VaultPath[] = [];
  const leftovers: string[] = [];
  const unreachable: Comparison["unreachable"][number][] = [];
  const changed: { path: VaultPath; modified: number }[] = [];
  const unsure: VaultPath[] = [];
  const touched: VaultPath[] = [];
  let isEmptied = processed.size > 0 && !vault.ignore.hasFileAtRoot;
  const slice = new TimeSlice();
  for (const [at, each] of scanned.entries()) {
    if (at % CHECKED_TOGETHER === 0) await slice.pause();
    const { path } = each;
    if (each.kind === "leftover") leftovers.push(path);
    else if (each.kind === "unreachable") unreachable.push(each);
    else if (each.kind === "folder") measured.push({ path, facts: null, isLink: false });
    else if (each.kind === "file") {
      isEmptied = false;
      if (each.isLink) links.push(path);
      const known = processed.get(path);
      if (known !== undefined) stillProcessed += 1;
      const facts = known?.facts ?? estimateFacts(path, each.size, each.modified);
      measured.push({ path, facts, isLink: each.isLink });
      const isKnown = known?.facts.signature === each.signature;
      const inIndex = indexed?.get(path);
      if (inIndex !== undefined) stillIndexed += 1;
      const isSought = isIndexed(path) && isSearchable(facts);
      const isRight = indexed === null || inIndex === (isSought ? each.signature : undefined);
      if (!isKnown || !isRight) changed.push(each);
      else if (known.isFresh) unsure.push(path);
      else if (isTouched(known, each)) touched.push(path);
      // The index has another version, or one that it should not have: clear its signature, so that it is processed again.
      if (isKnown && !isRight) processed.invalidate(path);
    }
  }
  if (isEmptied) return emptyAlarm(vault, processed);
  const isAllThere =
    stillProcessed === processed.size && (indexed === null || stillIndexed === indexed.size);
  // The newest first: a person looks for those while the others are read.
  changed.sort((a, b) => b.modified - a.modified);
  return {
    measured,
    links,
    leftovers,
    unreachable,
    changed: changed.map(({ path }) => path),
    unsure,
    touched,
    // Names are compared only when some are missing, which is rare.
    gone: isAllThere
      ? []
      : [...goneFrom(scanned, [...processed.paths(), ...(indexed?.keys() ?? [])])],
    ignored: ignoredAmong(scanned),
  };
}

function goneFrom(scanned: readonly Scanned[], known: readonly VaultPath[]): Set<VaultPath> {
  const gone = new Set(known);
  for (const { kind, path } of scanned) if (kind === "file") gone.delete(path);
  return gone;
}

export async function isEmpty(vault: LocalVault): Promise<boolean> {
  try {
    return !vault.ignore.hasFileAtRoot && (await vault.list("")).length === 0;
  } catch {
    return true;
  }
}

export function emptyAlarm({ root }: LocalVault, { size }: ProcessedFiles): string {
  return `The vault ${root} is empty or cannot be read, though ${size} files are known. Nothing was forgotten, and nothing is written. Is its disk mounted, its folder moved? If it was emptied on purpose, put any file into it.`;
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
  const slice = new TimeSlice();
  for (const [path, stage] of batch) {
    await slice.pause();
    const found = await findReachable(vault, path);
    if (found?.kind === "file") {
      files.set(path, stage);
      continue;
    }
    const known = new Set(processed.under(path));
    if (found === null && known.size === 0) unknown.push(path);
    if (found?.kind === "folder") {
      for await (const { path: inside } of vault.walk(path)) {
        await slice.pause();
        if (!files.has(inside)) files.set(inside, stage);
        known.delete(inside);
      }
    }
    for (const each of known) {
      await slice.pause();
      // Under a path that is gone nothing is left.
      if (found === null || (await findReachable(vault, each))?.kind !== "file") gone.add(each);
    }
    // The files in it are measured one by one, when they are processed.
    if (found?.kind === "folder") vault.totals.refreshFolder(path);
    else vault.totals.refresh(path);
  }
  return { files, gone: [...gone], unknown };
}

/** Whether a file was touched since it was processed, as far as that is known. */
export function isTouched(
  { touched }: ProcessedFile,
  found: { readonly touched: number },
): boolean {
  return touched !== undefined && touched !== null && touched !== found.touched;
}

/** Whether no list and no index may have a file. */
export function isIgnored({ ignore }: LocalVault, file: VaultPath): boolean {
  return ignore.judge(file.split("/"), "file") !== null;
}

/** What is to be processed: all that differs, or when that is more than `most`, only what is hidden by now, which no search may find. */
export function pathsToMark(
  { ignore }: LocalVault,
  { gone, changed, unsure, touched }: Comparison,
  most: number,
): VaultPath[] {
  if (gone.length + changed.length <= most) return [...gone, ...changed, ...unsure, ...touched];
  return gone.filter((path) => ignore.judge(path.split("/"), "file") === "hidden");
}

/** What is at a path; null when nothing is there, it is ignored, or it cannot be reached. */
export async function findReachable(
  vault: VaultReader,
  path: VaultPath,
): Promise<VaultItem | null> {
  try {
    const found = await vault.find(path);
    return found.kind === "missing" || !found.isListed ? null : found;
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
