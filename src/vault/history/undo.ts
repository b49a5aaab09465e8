import { readdirSync } from "node:fs";

import { ExpectedError } from "../../errors.ts";
import type { Disk, Entry, Located } from "../disk.ts";
import { readBytes } from "../files/bytes.ts";
import { BLOCK_WINDOW } from "../files/frontmatter-block.ts";
import { headLength, signatureOf, versionHash, type FileVersion } from "../files/version.ts";
import { joinPath, nameKey, showPath, type VaultPath } from "../paths.ts";
import type { SeenFile, Writer } from "../write/writer.ts";
import { keptBytes, type History } from "./history.ts";
import type { Change, HistoryEntry, KeptSplice, KeptWhole } from "./history-types.ts";
import { isGone } from "./never-applied.ts";
import { isStillKept } from "./removed-tree.ts";

/** What is needed to take changes back. */
export interface UndoParts {
  readonly disk: Disk;
  readonly history: History;
  readonly writer: Writer;
  /** Undo even what changed since; what is there now is kept in the history like any other change. */
  readonly force: boolean;
}

/**
 * Takes back all changes of some entries, newest first; all of them, or none when one cannot be taken back.
 * @param wasKilled see {@link UndoAuthor}
 */
export async function undoEntries(
  entries: readonly HistoryEntry[],
  parts: UndoParts,
  wasKilled: boolean,
): Promise<void> {
  const { history, writer } = parts;
  const changes = entries.flatMap((entry) => entry.changes);
  try {
    for (let change = changes.at(-1); change !== undefined; change = changes.at(-1)) {
      if (!(wasKilled && (await isGone(changes, parts)))) await undoChange(change, parts);
      changes.pop();
    }
  } catch (error) {
    for (const change of [...writer.done].toReversed())
      await undoChange(change, { ...parts, force: true });
    if (writer.done.length > 0) await history.retract(writer.id, writer.done.length);
    throw error;
  }
}

/** Takes back one change. Throws `conflict` when the file is no longer as the change left it. */
async function undoChange(change: Change, parts: UndoParts): Promise<void> {
  const { disk, writer, force } = parts;
  switch (change.kind) {
    case "create": {
      const entry = disk.lookup(change.path);
      if (entry === null) {
        if (force) return;
        throw changedSince(change.path, "it is no longer there");
      }
      if (!force && !isVersion(entry, change.version, disk)) throw changedSince(change.path);
      // Together with the folders that were made for it, as far as they hold nothing else.
      await writer.removeEntry(outermostHolding(change.madeFolders, entry, disk) ?? entry);
      return;
    }
    case "modify":
      if ("wholeBefore" in change.kept)
        await undoWhole(change.path, change.kept, change.version, parts);
      else await undoSplice(change.path, change.kept, parts);
      return;
    case "remove":
      await makeRoom(change.path, parts);
      await writer.restore(change.path, change.items);
      return;
    case "restore": {
      const entry = disk.lookup(change.path);
      if (entry === null) throw changedSince(change.path, "it is no longer there");
      if (!force && !(await isStillKept(entry, change.items, parts)))
        throw changedSince(change.path);
      await writer.removeEntry(outermostHolding(change.madeFolders, entry, disk) ?? entry);
      return;
    }
    case "move": {
      const entry = disk.lookup(change.to);
      if (entry === null) throw changedSince(change.to, "it is no longer there");
      await makeRoom(change.path, parts);
      await writer.moveEntry(entry, change.path, change.onDisk);
      const emptied = outermostHolding(change.madeFolders, null, disk);
      if (emptied !== null) await writer.removeEntry(emptied);
    }
  }
}

function isVersion(entry: Entry, version: FileVersion, disk: Disk): boolean {
  return entry.kind === "file" && versionHash(disk.readWhole(entry.path).bytes) === version.hash;
}

/** The outermost of the folders that holds nothing, at any depth, but the others of them and `thing`. */
function outermostHolding(
  folders: readonly VaultPath[],
  thing: Entry | null,
  disk: Disk,
): Entry | null {
  const expected = new Set([...folders, ...(thing === null ? [] : [thing.path])]);
  const holdsOnly = (entry: Entry): boolean => {
    if (entry.path === thing?.path) return true;
    const names = disk.inFolder(entry.folder, (base) => readdirSync(`${base}/${entry.name}`));
    return names.every((name) => {
      const path = joinPath(entry.path, nameKey(name));
      const child = expected.has(path) ? disk.lookup(path) : null;
      return (
        child !== null &&
        (child.kind === "folder" || child.path === thing?.path) &&
        holdsOnly(child)
      );
    });
  };
  for (const folder of folders) {
    const entry = disk.lookup(folder);
    if (entry?.kind === "folder" && holdsOnly(entry)) return entry;
  }
  return null;
}

async function undoWhole(
  path: VaultPath,
  kept: KeptWhole,
  version: FileVersion,
  parts: UndoParts,
): Promise<void> {
  const { disk, history, writer, force } = parts;
  const before = await keptBytes(history, kept.wholeBefore);
  const entry = disk.lookup(path);
  if (entry?.kind !== "file") {
    if (!force)
      throw changedSince(path, entry === null ? "it is no longer there" : "it is no longer a file");
    await makeRoom(path, parts);
    await writer.create(path, before);
    return;
  }
  const now = disk.readWhole(path);
  if (!force && versionHash(now.bytes) !== version.hash) throw changedSince(path);
  await writer.replace(seen(now.located), now.bytes, before);
}

/** A part of a large file is taken back when it still stands where it was put, between the same neighbours. */
async function undoSplice(path: VaultPath, kept: KeptSplice, parts: UndoParts): Promise<void> {
  const { disk, history, writer, force } = parts;
  const inserted = await keptBytes(history, kept.inserted);
  const removed = await keptBytes(history, kept.removed);
  const before = Buffer.from(kept.before, "base64");
  const wanted = Buffer.concat([before, inserted, Buffer.from(kept.after, "base64")]);
  const place = disk.read(path, (fd, located) => {
    const growth = Number(located.stat.size) - kept.fileBytes;
    const shift = shifts(fd, kept).find((each) => {
      const start = kept.at + each - before.length;
      const isThere = start >= 0 && readBytes(fd, start, wanted.length).equals(wanted);
      return isThere && (force || growth === each);
    });
    return shift === undefined ? null : { file: seen(located), at: kept.at + shift };
  });
  if (place === null) throw changedSince(path, "this part of it is no longer what it was");
  await writer.splice(place.file, { at: place.at, removed: inserted, inserted: removed });
}

/** How far a place can have moved by what the background job does to the frontmatter above it. */
function shifts(fd: number, kept: KeptSplice): number[] {
  const head = readBytes(fd, 0, BLOCK_WINDOW);
  const headBytes = headLength(head);
  const shift = headBytes - kept.headBytes;
  // A first block is followed by an empty line of its own.
  const newline = head.toString("latin1", headBytes, headBytes + 2).startsWith("\r\n") ? 2 : 1;
  return kept.headBytes > 3 || shift === 0 ? [shift] : [shift, shift + newline];
}

async function makeRoom(path: VaultPath, { disk, writer, force }: UndoParts): Promise<void> {
  const there = disk.lookup(path);
  if (there === null) return;
  if (!force) throw changedSince(path, "something else is there now");
  await writer.removeEntry(there);
}

function seen({ path, stat }: Located): SeenFile {
  return { path, version: { signature: signatureOf(stat), hash: null } };
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
