import type { LocalVault } from "../vault/vault.ts";
import { findReachable, type Comparison } from "./comparison.ts";
import type { ProcessedFiles } from "./processed-files.ts";

/**
 * Puts back into the totals what a comparison found and they lack: a folder that could not be listed for a moment looked empty, and its files did
 * not change, so nothing else would bring them back. Takes out the folders that are gone: the files in them are missed one by one, and a folder only by
 * the watcher.
 * @returns whether anything was not right
 */
export async function repairTotals(
  vault: LocalVault,
  processed: ProcessedFiles,
  { measured }: Pick<Comparison, "measured">,
): Promise<boolean> {
  const missing = measured.filter(({ path }) => !vault.totals.has(path));
  let isRepaired = false;
  for (const { path, facts } of missing) {
    // Gone again since, or processed meanwhile.
    if ((await findReachable(vault, path)) === null || vault.totals.has(path)) continue;
    if (facts === null) vault.totals.refreshFolder(path);
    else vault.totals.set(path, processed.get(path)?.facts ?? facts);
    isRepaired = true;
  }
  const found = new Set(measured.map(({ path }) => path));
  for (const path of vault.totals.folders()) {
    if (found.has(path) || (await findReachable(vault, path)) !== null) continue;
    vault.totals.refresh(path);
    isRepaired = true;
  }
  return isRepaired;
}
