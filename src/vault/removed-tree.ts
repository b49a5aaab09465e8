import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
  fsyncSync,
} from "node:fs";
import path from "node:path";

import { OpenFolder } from "./disk.ts";
import { errnoOf, ExpectedError } from "./errors.ts";
import type { HistoryStore } from "./history-store.ts";
import type { RemovedItem } from "./history-types.ts";
import { readBytes } from "./text-file.ts";
import { SMALL_FILE, versionHash } from "./version.ts";

/**
 * Keeps in the history the thing called `onDisk` in an open folder, then all that is under it. Links are kept as links.
 * Goes from open folder to open folder: a link planted on the way is not followed.
 * @param name what it is to be called when it comes back
 */
export function takeTree(
  folder: OpenFolder,
  onDisk: string,
  name: string,
  store: HistoryStore,
): RemovedItem[] {
  const place = folder.at(onDisk);
  const stat = lstatSync(place);
  const base = { name, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
  if (stat.isSymbolicLink()) return [{ ...base, kind: "link", target: readlinkSync(place) }];
  if (stat.isDirectory()) {
    const inner = new OpenFolder(place);
    try {
      const children = readdirSync(inner.base).flatMap((child) =>
        takeTree(inner, child, `${name}/${child}`, store),
      );
      return [{ ...base, kind: "folder" }, ...children];
    } finally {
      inner.close();
    }
  }
  if (!stat.isFile()) {
    throw new ExpectedError(
      "not_text",
      `${name} is a device, pipe or socket: it cannot be kept, so it is not removed.`,
    );
  }
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(fd);
    if (!opened.isFile()) throw new ExpectedError("busy", `${name} keeps changing; try again.`);
    const bytes = store.keepFile(fd);
    return [{ ...base, kind: "file", bytes, size: opened.size, modified: opened.mtimeMs }];
  } finally {
    closeSync(fd);
  }
}

export type RemovedFile = Extract<RemovedItem, { kind: "file" }>;

/** Whether the file at `place` is still the one that was kept. */
export type SameFile = (place: string, item: RemovedFile) => boolean;

/** By size and time: enough for the moment between keeping a file and removing it. */
export function hasSameTime(place: string, item: RemovedFile): boolean {
  const stat = lstatSync(place);
  return stat.size === item.size && Math.abs(stat.mtimeMs - item.modified) < 0.01;
}

/** By content, whatever became of its time meanwhile; what the background job writes does not count. */
export function hasSameText(store: HistoryStore): SameFile {
  return (place, item) => {
    const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (store.hashOf(fd) === item.bytes) return true;
      const { size } = fstatSync(fd);
      if (size > SMALL_FILE || item.size > SMALL_FILE) return false;
      return versionHash(readBytes(fd, 0, size)) === versionHash(store.bytes(item.bytes));
    } finally {
      closeSync(fd);
    }
  };
}

/** True when what is at `top` is still what {@link takeTree} saw: the same names, and the same files by `isSame`. */
export function isTree(top: string, items: readonly RemovedItem[], isSame: SameFile): boolean {
  const expected = new Map(items.map((item) => [item.name, item]));
  const root = items[0]?.name ?? "";
  const matches = (place: string, name: string): boolean => {
    const item = expected.get(name);
    const stat = lstatSync(place);
    if (item === undefined || !expected.delete(name)) return false;
    if (item.kind === "link") return stat.isSymbolicLink() && readlinkSync(place) === item.target;
    if (item.kind === "file") return stat.isFile() && isSame(place, item);
    return (
      stat.isDirectory() &&
      readdirSync(place).every((child) => matches(path.join(place, child), `${name}/${child}`))
    );
  };
  return matches(top, root) && expected.size === 0;
}

/** Removes what is at `top` and all under it, following no link. */
export function removeTree(top: string): void {
  if (!lstatSync(top).isDirectory()) {
    unlinkSync(top);
    return;
  }
  for (const child of readdirSync(top)) removeTree(path.join(top, child));
  rmdirSync(top);
}

/** Builds at `top` what {@link takeTree} kept. Parts that are still there are left as they are. */
export function restoreTree(top: string, items: readonly RemovedItem[], store: HistoryStore): void {
  const root = items[0]?.name ?? "";
  for (const item of items) {
    const target = top + item.name.slice(root.length);
    try {
      if (item.kind === "folder") mkdirSync(target);
      else if (item.kind === "link") symlinkSync(item.target, target);
      else restoreFile(target, item, store);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
  // Last, since a folder without write permission could not have been filled.
  for (const item of items.toReversed()) {
    const target = top + item.name.slice(root.length);
    keepOwner(target, item);
    if (item.kind !== "link") chmodSync(target, item.mode);
  }
}

function restoreFile(target: string, item: RemovedFile, store: HistoryStore): void {
  const fd = openSync(target, "wx");
  try {
    for (const part of store.parts(item.bytes)) {
      for (let at = 0; at < part.length;) at += writeSync(fd, part, at);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  // In seconds, as a fraction: a Date would cut the time to milliseconds.
  utimesSync(target, Date.now() / 1000, item.modified / 1000);
}

function keepOwner(target: string, { uid, gid }: RemovedItem): void {
  const now = lstatSync(target);
  if (now.uid === uid && now.gid === gid) return;
  try {
    lchownSync(target, uid, gid);
  } catch (error) {
    // Only a privileged user may give files away; the content matters more than the owner.
    if (errnoOf(error) !== "EPERM") throw error;
  }
}
