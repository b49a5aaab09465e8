import { unlinkSync } from "node:fs";

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
