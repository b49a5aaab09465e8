import { closeSync } from "node:fs";

import type { Disk } from "../disk.ts";
import type { HistoryStore } from "./history-store.ts";
import type { Change, KeptSplice } from "./history-types.ts";
import type { VaultPath } from "../paths.ts";
import { hasSameText, isTree } from "./removed-tree.ts";
import { readBytes } from "../files/text-file.ts";
import { versionHash } from "../files/version.ts";

interface Parts {
  readonly disk: Disk;
  readonly store: HistoryStore;
}

/**
 * Whether nothing is left of the last of some changes: a change is written down before it is made, so the last one of a killed process may not
 * have happened, and one that a killed undo took back is gone already. When in doubt it is not: then its undo is refused, and nothing is lost.
 */
export function isGone(changes: readonly Change[], parts: Parts): boolean {
  const last = changes.at(-1);
  if (last === undefined) return true;
  if (last.kind !== "modify") return isAsBefore(last, parts);
  // A file that was changed several times may be back at any of its versions.
  return changes.some(
    (change) => change.kind === "modify" && change.path === last.path && isAsBefore(change, parts),
  );
}

function isAsBefore(change: Change, { disk, store }: Parts): boolean {
  switch (change.kind) {
    case "create":
    case "restore":
      return disk.lookup(change.path) === null;
    case "modify":
      if (disk.lookup(change.path)?.kind !== "file") return false;
      return "wholeBefore" in change.kept
        ? versionHash(readAll(disk, change.path)) ===
            versionHash(store.bytes(change.kept.wholeBefore))
        : isPartAsBefore(disk, store, change.path, change.kept);
    case "remove": {
      const entry = disk.lookup(change.path);
      if (entry === null) return false;
      const folder = disk.openFolder(entry.folder);
      try {
        return isTree(folder, entry.name, change.items, hasSameText(store));
      } finally {
        folder.close();
      }
    }
    case "move":
      return disk.lookup(change.to) === null && disk.lookup(change.path) !== null;
  }
}

function readAll(disk: Disk, path: VaultPath): Buffer {
  const { fd, located } = disk.open(path);
  try {
    return readBytes(fd, 0, Number(located.stat.size));
  } finally {
    closeSync(fd);
  }
}

/** Of a large file only the place of the change is looked at; the job may have moved it by what it does to the frontmatter. */
function isPartAsBefore(
  disk: Disk,
  store: HistoryStore,
  path: VaultPath,
  kept: KeptSplice,
): boolean {
  const { fd, located } = disk.open(path);
  try {
    const removed = store.bytes(kept.removed);
    const before = Buffer.from(kept.before, "base64");
    const wanted = Buffer.concat([before, removed, Buffer.from(kept.after, "base64")]);
    const size = kept.fileBytes - kept.insertedBytes + removed.length;
    const start = kept.at - before.length + Number(located.stat.size) - size;
    return start >= 0 && readBytes(fd, start, wanted.length).equals(wanted);
  } finally {
    closeSync(fd);
  }
}
