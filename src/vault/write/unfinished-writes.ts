import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import path from "node:path";

import type { Disk, Entry } from "../disk.ts";
import type { Change } from "../history/history-types.ts";

/**
 * Finishes a move that a killed process left half done. A file is moved by adding its new name and then removing the old one, since that never
 * replaces anything; when both names still lead to one file, the old one is removed now.
 */
export function finishMove(disk: Disk, change: Change): void {
  const half = halfMoved(disk, change);
  if (half !== null) removeName(disk, half.from);
}

/** Takes back a move that a failing disk left half done and that was refused: when both names lead to one file, the new one is removed. */
export function takeBackMove(disk: Disk, change: Change): void {
  const half = halfMoved(disk, change);
  if (half !== null) removeName(disk, half.to);
  if (change.kind === "move") disk.removeEmptyFolders(change.madeFolders);
}

/** The two names of one file; null when they are not. */
function halfMoved(disk: Disk, change: Change): { from: Entry; to: Entry } | null {
  if (change.kind !== "move") return null;
  const [from, to] = [disk.lookup(change.path), disk.lookup(change.to)];
  if (from === null || to === null || from.kind === "folder") return null;
  const isOne = from.stat.ino === to.stat.ino && from.stat.dev === to.stat.dev;
  return isOne ? { from, to } : null;
}

function removeName(disk: Disk, { folder, name }: Entry): void {
  disk.inFolder(folder, (base) => unlinkSync(`${base}/${name}`));
}

const KEPT_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Takes the temporary files of killed processes out of the vault. They are moved to the state folder instead of deleted, since one of them may
 * be the only copy of something.
 * @param places hidden files and folders of ours; the caller is the only writer
 */
export function sweepLeftovers(state: string, places: readonly string[], now: Date): void {
  const folder = path.join(state, "leftovers");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The scan may have met temporary files of a write that has ended since.
  for (const place of places.filter((each) => existsSync(each))) {
    cpSync(place, path.join(folder, path.basename(place)), { recursive: true, force: true });
    rmSync(place, { recursive: true, force: true });
  }
  for (const name of readdirSync(folder)) {
    const kept = path.join(folder, name);
    if (now.getTime() - statSync(kept).ctimeMs > KEPT_DAYS * DAY)
      rmSync(kept, { recursive: true, force: true });
  }
}
