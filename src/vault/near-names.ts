import { letterPairs, likeness } from "../text/likeness.ts";
import type { Disk } from "./disk.ts";
import { walkFiles } from "./listing.ts";
import { nameOf, parentOf, type VaultPath } from "./paths.ts";

const LOOKED_AT = 50_000;
const NEAR_ENOUGH = 0.45;

/** Up to three existing paths that resemble a missing one, nearest first. */
export function nearNames(wanted: VaultPath, disk: Disk): VaultPath[] {
  const wantedPairs = pairsOf(wanted);
  const wantedName = pairsOf(nameOf(wanted));
  const scored: { path: VaultPath; score: number }[] = [];
  const seenFolders = new Set<VaultPath>();
  const consider = (path: VaultPath): void => {
    const score =
      (likeness(wantedPairs, pairsOf(path)) + likeness(wantedName, pairsOf(nameOf(path)))) / 2;
    if (score >= NEAR_ENOUGH) scored.push({ path, score });
  };
  let looked = 0;
  for (const { path } of walkFiles(disk, disk.get(""))) {
    consider(path);
    for (
      let folder = parentOf(path);
      folder !== "" && !seenFolders.has(folder);
      folder = parentOf(folder)
    ) {
      seenFolders.add(folder);
      consider(folder);
    }
    looked += 1;
    if (looked === LOOKED_AT) break;
  }
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ path }) => path);
}

function pairsOf(path: string): Set<string> {
  return letterPairs(path.replace(/\.(?:md|markdown)$/iu, ""));
}
