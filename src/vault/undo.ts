import { closeSync } from "node:fs";

import type { Disk } from "./disk.ts";
import { ExpectedError } from "./errors.ts";
import type { HistoryStore } from "./history-store.ts";
import type { Change, KeptSplice, KeptWhole } from "./history-types.ts";
import { showPath, type VaultPath } from "./paths.ts";
import { isTree } from "./removed-tree.ts";
import { readBytes } from "./text-file.ts";
import { headLength, versionHash } from "./version.ts";
import type { Writer } from "./writer.ts";

/** What is needed to take changes back. */
export interface UndoParts {
  readonly disk: Disk;
  readonly store: HistoryStore;
  readonly writer: Writer;
  /** Undo even what changed since; what is there now is kept in the history like any other change. */
  readonly force: boolean;
}

/** Takes back one change. Throws `conflict` when the file is no longer as the change left it. */
export async function undoChange(change: Change, parts: UndoParts): Promise<void> {
  const { disk, writer, force } = parts;
  switch (change.kind) {
    case "create": {
      if (disk.find(change.path).kind === "missing") {
        if (force) return;
        throw changedSince(change.path, "it is no longer there");
      }
      const now = readAll(disk, change.path);
      if (!force && versionHash(now.bytes) !== change.version.hash) throw changedSince(change.path);
      await writer.remove(disk.entry(change.path));
      disk.removeEmptyFolders(change.madeFolders);
      return;
    }
    case "modify":
      if ("before" in change.kept)
        await undoWhole(change.path, change.kept, change.version.hash, parts);
      else await undoSplice(change.path, change.kept, parts);
      return;
    case "remove":
      await makeRoom(change.path, parts);
      await writer.restore(change.path, change.items);
      return;
    case "restore": {
      const entry = disk.entry(change.path);
      const unchanged = disk.inFolder(entry.folder, (base) =>
        isTree(`${base}/${entry.name}`, change.items),
      );
      if (!force && !unchanged) throw changedSince(change.path);
      await writer.remove(entry);
      disk.removeEmptyFolders(change.madeFolders);
      return;
    }
    case "move":
      if (disk.find(change.to).kind === "missing") {
        throw changedSince(change.to, "it is no longer there");
      }
      await makeRoom(change.path, parts);
      await writer.move(disk.entry(change.to), change.path);
      disk.removeEmptyFolders(change.madeFolders);
  }
}

async function undoWhole(
  path: VaultPath,
  kept: KeptWhole,
  hash: string | null,
  { disk, store, writer, force }: UndoParts,
): Promise<void> {
  const before = store.bytes(kept.before);
  if (disk.find(path).kind === "missing") {
    if (!force) throw changedSince(path, "it is no longer there");
    await writer.create(path, before);
    return;
  }
  const now = readAll(disk, path);
  if (!force && versionHash(now.bytes) !== hash) throw changedSince(path);
  await writer.replace(now.located, now.bytes, before);
}

/** A part of a large file is taken back when it still stands where it was put, in a text of the same size. */
async function undoSplice(path: VaultPath, kept: KeptSplice, parts: UndoParts): Promise<void> {
  const { disk, store, writer } = parts;
  const { fd, located } = disk.open(path);
  try {
    const headBytes = headLength(readBytes(fd, 0, 80_000));
    const size = Number(located.stat.size);
    const at = headBytes + kept.at;
    const inserted = store.bytes(kept.inserted);
    const there = readBytes(fd, at, kept.insertedBytes);
    const moved = size - headBytes !== kept.bodyBytes;
    if (!there.equals(inserted) || (moved && !parts.force)) {
      throw changedSince(path, "this part of it is no longer what it was");
    }
    await writer.splice(located, {
      at,
      headBytes,
      removed: inserted,
      inserted: store.bytes(kept.removed),
    });
  } finally {
    closeSync(fd);
  }
}

async function makeRoom(path: VaultPath, { disk, writer, force }: UndoParts): Promise<void> {
  if (disk.find(path).kind === "missing") return;
  if (!force) throw changedSince(path, "something else is there now");
  await writer.remove(disk.entry(path));
}

function readAll(disk: Disk, path: VaultPath): { located: ReturnType<Disk["get"]>; bytes: Buffer } {
  const { fd, located } = disk.open(path);
  try {
    return { located, bytes: readBytes(fd, 0, Number(located.stat.size)) };
  } finally {
    closeSync(fd);
  }
}

function changedSince(
  path: VaultPath,
  how = "its text is no longer what this change left",
): ExpectedError {
  return new ExpectedError(
    "conflict",
    `${showPath(path)} changed since: ${how}. Nothing was undone. Undo the later change first, or force it (what is there now is kept in the history).`,
  );
}
