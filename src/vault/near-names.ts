import { letterPairs, likeness } from "../text/likeness.ts";
import type { Disk } from "./disk.ts";
import { walkFiles } from "./listing.ts";
import { compareNames, joinPath, nameOf, parentOf, type VaultPath } from "./paths.ts";
import type { Folder } from "./tree/folder-totals.ts";
import {
  addLetters,
  bitsOfFour,
  commonBits,
  MASK_WORDS,
  withoutEnding,
  type NamedNodes,
} from "./tree/letter-masks.ts";

const LOOKED_AT = 50_000;
const NEAR_ENOUGH = 0.45;
/** Paths compared in full; the others are ruled out by the masks of their letters. */
const COMPARED = 80;
/** Steps in which the likeness of masks is counted. */
const STEPS = 256;

/** Up to three existing paths that resemble a missing one, nearest first. Walks the disk. */
export function nearNames(wanted: VaultPath, disk: Disk): VaultPath[] {
  const paths = new Set<VaultPath>();
  let looked = 0;
  for (const { path } of walkFiles(disk, disk.get(""))) {
    for (let at = path; at !== "" && !paths.has(at); at = parentOf(at)) paths.add(at);
    looked += 1;
    if (looked === LOOKED_AT) break;
  }
  return nearestPaths(wanted, paths);
}

/** The likeness of masks of all names, kept from one call to the next. */
let steps = new Uint8Array(1024);

/** The same from what is known of the vault, without its disk: of all paths, those are compared whose letters are the likeliest. */
export function nearKnownNames(wanted: VaultPath, root: Folder): VaultPath[] {
  const folders = foldersIn(root);
  const least = countSteps(wanted, folders);
  const likely: VaultPath[] = [];
  let place = 0;
  for (const folder of folders) {
    const { names } = folder.named();
    for (let at = 0; at < names.length; at += 1) {
      const step = steps[place + at] ?? 0;
      // Of many that are equally likely, as numbered notes are, the first few must do.
      if (step >= least && likely.length < 2 * COMPARED)
        likely.push(joinPath(folder.path, names[at] ?? ""));
    }
    place += names.length;
  }
  return nearestPaths(wanted, likely);
}

/** Fills {@link steps}, and returns the least of those to be compared in full. What cannot be among them any more counts as 0. */
function countSteps(wanted: VaultPath, folders: readonly Folder[]): number {
  const path = new WantedMask(withoutEnding(wanted));
  const name = new WantedMask(withoutEnding(nameOf(wanted)));
  const counts = new Uint32Array(STEPS);
  let [place, floor, above] = [0, 1, 0];
  for (const folder of folders) {
    const named = folder.named();
    const { length } = named.names;
    if (place + length > steps.length) {
      const more = new Uint8Array(2 * (place + length));
      more.set(steps);
      steps = more;
    }
    for (let at = 0; at < length; at += 1) {
      const step = stepOf(path, name, named, at, floor);
      steps[place + at] = step;
      if (step < floor) continue;
      counts[step] = (counts[step] ?? 0) + 1;
      above += 1;
      for (let below = counts[floor] ?? 0; above - below >= COMPARED; below = counts[floor] ?? 0) {
        above -= below;
        floor += 1;
      }
    }
    place += length;
  }
  return floor;
}

/** Up to three of some paths that resemble a missing one, nearest first, by all their pairs of letters. */
export function nearestPaths(wanted: VaultPath, paths: Iterable<VaultPath>): VaultPath[] {
  const wantedPairs = pairsOf(wanted);
  const wantedName = pairsOf(nameOf(wanted));
  const scored: { path: VaultPath; score: number }[] = [];
  for (const path of paths) {
    const score =
      (likeness(wantedPairs, pairsOf(path)) + likeness(wantedName, pairsOf(nameOf(path)))) / 2;
    if (score >= NEAR_ENOUGH) scored.push({ path, score });
  }
  return scored
    .toSorted((a, b) => b.score - a.score || compareNames(a.path, b.path))
    .slice(0, 3)
    .map(({ path }) => path);
}

function pairsOf(path: string): Set<string> {
  return letterPairs(withoutEnding(path));
}

function maskOf(text: string): Uint32Array {
  const mask = new Uint32Array(MASK_WORDS);
  addLetters(text, mask);
  return mask;
}

/** A folder and all under it. */
function foldersIn(root: Folder): Folder[] {
  const found = [root];
  for (const folder of found)
    for (const node of folder.nodes.values()) if (node.kind === "folder") found.push(node);
  return found;
}

/** The mask of what is looked for, and how many bits it has. */
class WantedMask {
  readonly mask: Uint32Array;
  readonly bits: number;

  constructor(text: string) {
    this.mask = maskOf(text);
    this.bits = commonBits(this.mask, 0, this.mask);
  }
}

/**
 * The likeness of a path and of its name to those wanted, both by masks alone, as a whole number below {@link STEPS}; 0 when its name alone
 * shows that it is below `floor`: each of the two is a half at most.
 */
function stepOf(
  path: WantedMask,
  name: WantedMask,
  { folder, masks, bits }: NamedNodes,
  place: number,
  floor: number,
): number {
  const at = place * MASK_WORDS;
  const nameLikeness = commonBits(masks, at, name.mask) / (name.bits + (bits[place] ?? 0));
  if ((nameLikeness + 0.5) * (STEPS - 1) < floor) return 0;
  const a = (masks[at] ?? 0) | (folder[0] ?? 0);
  const b = (masks[at + 1] ?? 0) | (folder[1] ?? 0);
  const c = (masks[at + 2] ?? 0) | (folder[2] ?? 0);
  const d = (masks[at + 3] ?? 0) | (folder[3] ?? 0);
  const { mask } = path;
  const same = bitsOfFour(
    a & (mask[0] ?? 0),
    b & (mask[1] ?? 0),
    c & (mask[2] ?? 0),
    d & (mask[3] ?? 0),
  );
  const pathLikeness = same / (path.bits + bitsOfFour(a, b, c, d));
  return Math.floor((pathLikeness + nameLikeness) * (STEPS - 1));
}
