import { unlinkSync } from "node:fs";

import type { Disk } from "../disk.ts";
import type { Change } from "../history/history-types.ts";

/**
 * A file is moved by giving it its new name and then taking the old one away, since that never replaces anything. A process killed
 * between the two leaves both names on one file: the old one is taken away now.
 */
export function finishMove(disk: Disk, change: Change): void {
  if (change.kind !== "move") return;
  const [from, to] = [disk.lookup(change.path), disk.lookup(change.to)];
  if (from === null || to === null || from.kind === "folder") return;
  if (from.stat.ino !== to.stat.ino || from.stat.dev !== to.stat.dev) return;
  disk.inFolder(from.folder, (base) => unlinkSync(`${base}/${from.name}`));
}
