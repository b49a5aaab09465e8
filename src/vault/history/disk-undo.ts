import { readdirSync } from "node:fs";

import type { Disk, Entry, Located } from "../disk.ts";
import { readBytes } from "../files/bytes.ts";
import { signatureOf } from "../files/version.ts";
import type { History } from "./history.ts";
import { isStillKept } from "./removed-tree.ts";
import type { UndoFiles } from "./undo-files.ts";

/** The files of a folder on disk, as an undo sees them. */
export function diskUndoFiles(disk: Disk, history: History): UndoFiles<Entry, Located> {
  return {
    lookup: async (path) => disk.lookup(path),
    readWhole: async (path) => disk.readWhole(path),
    read: async (path, use) =>
      disk.read(path, (fd, located) =>
        use({
          located,
          size: Number(located.stat.size),
          bytes: (at, length) => readBytes(fd, at, length),
        }),
      ),
    namesIn: async (entry) =>
      disk.inFolder(entry.folder, (base) => readdirSync(`${base}/${entry.name}`)),
    holdsNoFile: async ({ folder, name }) =>
      disk.inFolder(folder, (base) => hasOnlyFolders(`${base}/${name}`)),
    isStillKept: async (entry, items) => isStillKept(entry, items, { disk, history }),
    seen: ({ path, stat }) => ({ path, version: { signature: signatureOf(stat), hash: null } }),
  };
}

function hasOnlyFolders(place: string): boolean {
  return readdirSync(place, { withFileTypes: true }).every(
    (entry) => entry.isDirectory() && hasOnlyFolders(`${place}/${entry.name}`),
  );
}
