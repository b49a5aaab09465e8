import type { Disk } from "./disk.ts";
import { walkFiles } from "./listing.ts";
import { nameOf, parentOf, type VaultPath } from "./paths.ts";

const LOOKED_AT = 50_000;
const NEAR_ENOUGH = 0.45;

/** Up to three existing paths that resemble a missing one, nearest first. */
export function nearNames(wanted: VaultPath, disk: Disk): VaultPath[] {
  const wantedPairs = letterPairs(wanted);
  const wantedName = letterPairs(nameOf(wanted));
  const scored: { path: VaultPath; score: number }[] = [];
  const seenFolders = new Set<VaultPath>();
  const consider = (path: VaultPath): void => {
    const score =
      (likeness(wantedPairs, letterPairs(path)) + likeness(wantedName, letterPairs(nameOf(path)))) /
      2;
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

function letterPairs(text: string): Set<string> {
  const bare = text.replace(/\.(?:md|markdown)$/iu, "");
  const plain = ` ${bare.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()} `;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < plain.length; at += 1) pairs.add(plain.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient: 1 for the same pairs of letters, 0 for none in common. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
