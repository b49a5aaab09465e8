import { errnoOf, ExpectedError } from "../../errors.ts";
import { BLOCK_WINDOW } from "../files/frontmatter.ts";
import { headLength, versionHash, type FileVersion } from "../files/version.ts";
import { joinPath, nameKey, showPath, type VaultPath } from "../paths.ts";
import { keptBytes, STAMP_CALLS, type History } from "./history.ts";
import type { Change, HistoryEntry, KeptSplice, KeptWhole, Relinking } from "./history-types.ts";
import type { OpenedFile, UndoEntry, UndoFiles, UndoLocated, UndoWriter } from "./undo-files.ts";
import { undoStamps } from "./undo-stamps.ts";

/** What is needed to take changes back: files of a vault, wherever they are. */
export interface UndoParts<E extends UndoEntry, L extends UndoLocated> {
  readonly files: UndoFiles<E, L>;
  readonly history: History;
  readonly writer: UndoWriter<E, L>;
  /** Undo even what changed since; what is there now is kept in the history like any other change. */
  readonly force: boolean;
  /** All of it is one transaction: when one change cannot be taken back, the caller rolls back the others. */
  readonly isAtomic?: boolean;
  /** Called with how many of how many changes are taken back. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Takes back all changes of some entries, newest first; all of them, or none when one cannot be taken back. Of stamps, which are independent of
 * each other, those whose file changed since are skipped.
 * @param wasKilled see {@link UndoAuthor}
 * @returns the paths that were skipped
 */
export async function undoEntries<E extends UndoEntry, L extends UndoLocated>(
  entries: readonly HistoryEntry[],
  parts: UndoParts<E, L>,
  wasKilled: boolean,
): Promise<VaultPath[]> {
  const { history, writer, onProgress = () => {} } = parts;
  const changes = entries.flatMap((entry) => entry.changes);
  const total = changes.length;
  const isOfStamps = entries.every(({ call }) => STAMP_CALLS.includes(call));
  const skipped: VaultPath[] = [];
  try {
    while (changes.length > 0) {
      // Many at once where nothing has to be known about a change before the next one is taken back.
      if (isOfStamps && !wasKilled) skipped.push(...(await undoStamps(changes, parts, total)));
      const change = changes.at(-1);
      if (change === undefined) break;
      try {
        if (!(wasKilled && (await isGone(changes, parts)))) await undoChange(change, parts);
      } catch (error) {
        const isSkipped = isOfStamps && error instanceof ExpectedError && error.code === "conflict";
        if (!isSkipped) throw error;
        skipped.push(change.path);
      }
      changes.pop();
      onProgress(total - changes.length, total);
    }
    return skipped;
  } catch (error) {
    if (parts.isAtomic === true) throw error;
    for (const change of [...writer.done].toReversed())
      await undoChange(change, { ...parts, force: true });
    const recorded = writer.done.length + writer.half;
    if (recorded > 0) await history.retract(writer.id, recorded);
    throw error;
  }
}

/**
 * Whether the last of some changes was never applied, or was undone already: a change is recorded before it is made, so the last one of a
 * killed process may be missing, and a killed undo may have taken some back. False when that is uncertain: then the undo is refused, and
 * nothing is lost.
 */
async function isGone<E extends UndoEntry, L extends UndoLocated>(
  changes: readonly Change[],
  parts: UndoParts<E, L>,
): Promise<boolean> {
  const last = changes.at(-1);
  if (last === undefined) return true;
  if (last.kind !== "modify") return isAsBefore(last, parts);
  // A file that was changed several times may be back at any of its versions.
  for (const change of changes)
    if (change.kind === "modify" && change.path === last.path && (await isAsBefore(change, parts)))
      return true;
  return false;
}

async function isAsBefore<E extends UndoEntry, L extends UndoLocated>(
  change: Change,
  parts: UndoParts<E, L>,
): Promise<boolean> {
  const { files, history } = parts;
  switch (change.kind) {
    case "create":
    case "restore":
      return (await files.lookup(change.path)) === null;
    case "modify": {
      const { path, kept } = change;
      if ((await files.lookup(path))?.kind !== "file") return false;
      if (!("wholeBefore" in kept)) return isPartAsBefore(path, kept, parts);
      const before = await keptBytes(history, kept.wholeBefore);
      return versionHash((await files.readWhole(path)).bytes) === versionHash(before);
    }
    case "remove": {
      const entry = await files.lookup(change.path);
      return entry !== null && files.isStillKept(entry, change.items);
    }
    case "move":
      return (await files.lookup(change.to)) === null && (await files.lookup(change.path)) !== null;
  }
}

/** Of a large file only the place of the change is read; the job may have shifted it by what it does to the frontmatter. */
async function isPartAsBefore<E extends UndoEntry, L extends UndoLocated>(
  path: VaultPath,
  kept: KeptSplice,
  { files, history }: UndoParts<E, L>,
): Promise<boolean> {
  const removed = await keptBytes(history, kept.removed);
  const before = Buffer.from(kept.before, "base64");
  const wanted = Buffer.concat([before, removed, Buffer.from(kept.after, "base64")]);
  const size = kept.fileBytes - kept.insertedBytes + removed.length;
  return files.read(path, (file) => {
    const start = kept.at - before.length + file.size - size;
    return start >= 0 && file.bytes(start, wanted.length).equals(wanted);
  });
}

/** Takes back one change. Throws `conflict` when the file is no longer as the change left it. */
async function undoChange<E extends UndoEntry, L extends UndoLocated>(
  change: Change,
  parts: UndoParts<E, L>,
): Promise<void> {
  const { files, writer, force } = parts;
  switch (change.kind) {
    case "create":
    case "restore": {
      const entry = await files.lookup(change.path);
      if (entry === null) {
        if (force && change.kind === "create") return;
        throw changedSince(change.path, "it is no longer there");
      }
      const isAsLeft =
        force ||
        (change.kind === "create"
          ? await isVersion(entry, change.version, files)
          : await files.isStillKept(entry, change.items));
      if (!isAsLeft) throw changedSince(change.path);
      // Together with the folders that were made for it, as far as they hold nothing else.
      await writer.removeEntry((await outermostHolding(change.madeFolders, entry, files)) ?? entry);
      return;
    }
    case "modify":
      if ("wholeBefore" in change.kept) await undoWhole({ ...change, kept: change.kept }, parts);
      else await undoSplice(change.path, change.kept, parts, backwards(change));
      return;
    case "remove":
      await makeRoom(change.path, parts);
      await writer.restore(change.path, change.items);
      return;
    case "move": {
      const entry = await files.lookup(change.to);
      if (entry === null) throw changedSince(change.to, "it is no longer there");
      await makeRoom(change.path, parts);
      await writer.moveEntry(entry, change.path, change.onDisk);
      await removeEmptied(change.madeFolders, parts);
    }
  }
}

/** Removes the folders that were made for a move, as far as they are empty. One that cannot be removed now is in nobody's way. */
async function removeEmptied<E extends UndoEntry, L extends UndoLocated>(
  folders: readonly VaultPath[],
  parts: UndoParts<E, L>,
): Promise<void> {
  const { files, writer } = parts;
  try {
    const emptied = await outermostHolding(folders, null, files);
    if (emptied !== null) await writer.removeEntry(emptied);
  } catch (error) {
    if (!(error instanceof ExpectedError) && errnoOf(error) === null) throw error;
  }
}

async function isVersion<E extends UndoEntry, L extends UndoLocated>(
  entry: E,
  version: FileVersion,
  files: UndoFiles<E, L>,
): Promise<boolean> {
  if (entry.kind !== "file") return false;
  return versionHash((await files.readWhole(entry.path)).bytes) === version.hash;
}

/** The outermost of the folders that holds nothing, at any depth, but the others of them and `thing`. */
async function outermostHolding<E extends UndoEntry, L extends UndoLocated>(
  folders: readonly VaultPath[],
  thing: E | null,
  files: UndoFiles<E, L>,
): Promise<E | null> {
  const expected = new Set([...folders, ...(thing === null ? [] : [thing.path])]);
  const holdsOnly = async (entry: E): Promise<boolean> => {
    if (entry.path === thing?.path) return true;
    for (const name of await files.namesIn(entry)) {
      const path = joinPath(entry.path, nameKey(name));
      const child = expected.has(path) ? await files.lookup(path) : null;
      if (child === null || (child.kind !== "folder" && child.path !== thing?.path)) return false;
      if (!(await holdsOnly(child))) return false;
    }
    return true;
  };
  for (const folder of folders) {
    const entry = await files.lookup(folder);
    if (entry?.kind === "folder" && (await holdsOnly(entry))) return entry;
  }
  return null;
}

type Modified = Extract<Change, { readonly kind: "modify" }>;

/** An undo of rewritten links rewrites them. */
function backwards({ relinked }: Relinking): Relinking {
  return relinked === undefined
    ? {}
    : { relinked: { before: relinked.after, after: relinked.before } };
}

async function undoWhole<E extends UndoEntry, L extends UndoLocated>(
  change: Modified & { readonly kept: KeptWhole },
  parts: UndoParts<E, L>,
): Promise<void> {
  const { path, kept, version } = change;
  const { files, history, writer, force } = parts;
  const before = await keptBytes(history, kept.wholeBefore);
  const entry = await files.lookup(path);
  if (entry?.kind !== "file") {
    if (!force)
      throw changedSince(path, entry === null ? "it is no longer there" : "it is no longer a file");
    await makeRoom(path, parts);
    await writer.create(path, before);
    return;
  }
  const now = await files.readWhole(path);
  if (!force && versionHash(now.bytes) !== version.hash) throw changedSince(path);
  await writer.replace(files.seen(now.located), now.bytes, before, backwards(change));
}

/** A part of a large file is taken back when it still stands where it was put, between the same neighbours. */
async function undoSplice<E extends UndoEntry, L extends UndoLocated>(
  path: VaultPath,
  kept: KeptSplice,
  parts: UndoParts<E, L>,
  how: Relinking,
): Promise<void> {
  const { files, history, writer, force } = parts;
  const inserted = await keptBytes(history, kept.inserted);
  const removed = await keptBytes(history, kept.removed);
  const before = Buffer.from(kept.before, "base64");
  const wanted = Buffer.concat([before, inserted, Buffer.from(kept.after, "base64")]);
  const place = await files.read(path, (file) => {
    const growth = file.size - kept.fileBytes;
    const shift = shifts(file, kept).find((each) => {
      const start = kept.at + each - before.length;
      const isThere = start >= 0 && file.bytes(start, wanted.length).equals(wanted);
      return isThere && (force || growth === each);
    });
    return shift === undefined ? null : { file: files.seen(file.located), at: kept.at + shift };
  });
  if (place === null) throw changedSince(path, "this part of it is no longer what it was");
  await writer.splice(place.file, { at: place.at, removed: inserted, inserted: removed }, how);
}

/** How far a place can have moved by what the background job does to the frontmatter above it. */
function shifts<L>(file: OpenedFile<L>, kept: KeptSplice): number[] {
  const head = file.bytes(0, BLOCK_WINDOW);
  const headBytes = headLength(head);
  const shift = headBytes - kept.headBytes;
  // A first block is followed by an empty line of its own.
  const newline = head.toString("latin1", headBytes, headBytes + 2).startsWith("\r\n") ? 2 : 1;
  return kept.headBytes > 3 || shift === 0 ? [shift] : [shift, shift + newline];
}

/** Folders without a file are in nobody's way: a killed process, or the emptying of a folder, leaves them behind. */
async function makeRoom<E extends UndoEntry, L extends UndoLocated>(
  path: VaultPath,
  { files, writer, force }: UndoParts<E, L>,
): Promise<void> {
  const there = await files.lookup(path);
  if (there === null) return;
  const isFree = force || (there.kind === "folder" && (await files.holdsNoFile(there)));
  if (!isFree) throw changedSince(path, "something else is there now");
  await writer.removeEntry(there);
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
