import { readable, type Disk, type Located } from "../disk.ts";
import { estimateFacts } from "../files/measure.ts";
import { listFolder } from "../listing.ts";
import { fileNode, Folder, sumAll } from "./folder-totals.ts";

/** Files and folders of a glance. */
const MOST = 2000;

/**
 * What is under a folder, as far as it can be listed in a moment: no file is read, and of many files and folders only the first are shown,
 * those of the upper levels before those below.
 */
export function glance(disk: Disk, located: Located, most = MOST): Folder {
  const root = new Folder(located.path);
  const waiting = [{ folder: root, place: located }];
  let left = most;
  for (const { folder, place } of waiting) {
    for (const { name, path } of readable(() => listFolder(disk, place)) ?? []) {
      if (left === 0) break;
      const found = readable(() => disk.find(path));
      if (found === null || found.kind === "missing") continue;
      left -= 1;
      if (found.kind === "folder") {
        const below = new Folder(path);
        folder.nodes.set(name, below);
        waiting.push({ folder: below, place: found });
      } else {
        const { size, mtimeMs } = found.stat;
        folder.nodes.set(name, fileNode(path, estimateFacts(path, Number(size), Number(mtimeMs))));
      }
    }
    if (left === 0) break;
  }
  sumAll(root);
  return root;
}
