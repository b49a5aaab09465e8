import type { Disk } from "../disk.ts";
import { readBytes } from "../files/bytes.ts";
import { versionHash } from "../files/version.ts";
import type { VaultPath } from "../paths.ts";
import { keptBytes, type History } from "./history.ts";
import type { Change, KeptSplice } from "./history-types.ts";
import { isStillKept } from "./removed-tree.ts";

interface Parts {
  readonly disk: Disk;
  readonly history: History;
}

/**
 * Whether the last of some changes was never applied, or was undone already: a change is recorded before it is made, so the last one of a
 * killed process may be missing, and a killed undo may have taken some back. False when that is uncertain: then the undo is refused, and
 * nothing is lost.
 */
export async function isGone(changes: readonly Change[], parts: Parts): Promise<boolean> {
  const last = changes.at(-1);
  if (last === undefined) return true;
  if (last.kind !== "modify") return isAsBefore(last, parts);
  // A file that was changed several times may be back at any of its versions.
  for (const change of changes)
    if (change.kind === "modify" && change.path === last.path && (await isAsBefore(change, parts)))
      return true;
  return false;
}

async function isAsBefore(change: Change, parts: Parts): Promise<boolean> {
  const { disk, history } = parts;
  switch (change.kind) {
    case "create":
    case "restore":
      return disk.lookup(change.path) === null;
    case "modify": {
      const { path, kept } = change;
      if (disk.lookup(path)?.kind !== "file") return false;
      if (!("wholeBefore" in kept)) return isPartAsBefore(path, kept, parts);
      const before = await keptBytes(history, kept.wholeBefore);
      return versionHash(disk.readWhole(path).bytes) === versionHash(before);
    }
    case "remove": {
      const entry = disk.lookup(change.path);
      return entry !== null && isStillKept(entry, change.items, parts);
    }
    case "move":
      return disk.lookup(change.to) === null && disk.lookup(change.path) !== null;
  }
}

/** Of a large file only the place of the change is read; the job may have shifted it by what it does to the frontmatter. */
async function isPartAsBefore(
  path: VaultPath,
  kept: KeptSplice,
  { disk, history }: Parts,
): Promise<boolean> {
  const removed = await keptBytes(history, kept.removed);
  const before = Buffer.from(kept.before, "base64");
  const wanted = Buffer.concat([before, removed, Buffer.from(kept.after, "base64")]);
  const size = kept.fileBytes - kept.insertedBytes + removed.length;
  return disk.read(path, (fd, { stat }) => {
    const start = kept.at - before.length + Number(stat.size) - size;
    return start >= 0 && readBytes(fd, start, wanted.length).equals(wanted);
  });
}
