import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import path from "node:path";

import { OpenFolder } from "../write/open-folder.ts";
import { errnoOf, ExpectedError } from "../../errors.ts";
import type { HistoryStore } from "./history-store.ts";
import type { RemovedItem } from "./history-types.ts";
import { LARGEST_TEXT, readBytes } from "../files/text-file.ts";
import { versionHash } from "../files/version.ts";

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
      if (size > LARGEST_TEXT || item.size > LARGEST_TEXT) return false;
      return versionHash(readBytes(fd, 0, size)) === versionHash(store.bytes(item.bytes));
    } finally {
      closeSync(fd);
    }
  };
}

/**
 * True when the thing called `onDisk` in an open folder is still what {@link takeTree} saw: the same names, and the same files by
 * `isSame`.
 */
export function isTree(
  folder: OpenFolder,
  onDisk: string,
  items: readonly RemovedItem[],
  isSame: SameFile,
): boolean {
  const expected = new Map(items.map((item) => [item.name, item]));
  const matches = (within: OpenFolder, child: string, name: string): boolean => {
    const item = expected.get(name);
    const place = within.at(child);
    const stat = lstatSync(place);
    if (item === undefined || !expected.delete(name)) return false;
    if (item.kind === "link") return stat.isSymbolicLink() && readlinkSync(place) === item.target;
    if (item.kind === "file") return stat.isFile() && isSame(place, item);
    if (!stat.isDirectory()) return false;
    return inside(place, (inner) =>
      readdirSync(inner.base).every((each) => matches(inner, each, `${name}/${each}`)),
    );
  };
  return matches(folder, onDisk, items[0]?.name ?? "") && expected.size === 0;
}

function inside<T>(place: string, use: (folder: OpenFolder) => T): T {
  const folder = new OpenFolder(place);
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

/** Removes the thing called `onDisk` in an open folder and all under it, following no link. */
export function removeTree(folder: OpenFolder, onDisk: string): void {
  const place = folder.at(onDisk);
  if (!lstatSync(place).isDirectory()) {
    unlinkSync(place);
    return;
  }
  inside(place, (inner) => {
    for (const child of readdirSync(inner.base)) removeTree(inner, child);
  });
  rmdirSync(place);
}

/** Builds, as `onDisk` in an open folder, what {@link takeTree} kept. Parts that are still there are left as they are. */
export function restoreTree(
  folder: OpenFolder,
  onDisk: string,
  items: readonly RemovedItem[],
  store: HistoryStore,
): void {
  const [top] = items;
  if (top !== undefined) restoreItem(folder, onDisk, top, childrenByFolder(items), store);
}

/** The items directly in each removed folder, by its name. */
function childrenByFolder(items: readonly RemovedItem[]): Map<string, RemovedItem[]> {
  return Map.groupBy(items, ({ name }) => path.posix.dirname(name));
}

function restoreItem(
  folder: OpenFolder,
  onDisk: string,
  item: RemovedItem,
  children: ReadonlyMap<string, readonly RemovedItem[]>,
  store: HistoryStore,
): void {
  const place = folder.at(onDisk);
  if (item.kind === "file") {
    restoreFile(place, item, store);
    return;
  }
  if (item.kind === "link") {
    unlessThere(() => symlinkSync(item.target, place));
    keepOwner(item, (uid, gid) => lchownSync(place, uid, gid));
    return;
  }
  unlessThere(() => mkdirSync(place));
  inside(place, (inner) => {
    for (const child of children.get(item.name) ?? []) {
      restoreItem(inner, path.posix.basename(child.name), child, children, store);
    }
    keepOwner(item, (uid, gid) => chownSync(inner.base, uid, gid));
    // Last, since a folder without write permission could not have been filled.
    chmodSync(inner.base, item.mode);
  });
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

function restoreFile(place: string, item: RemovedFile, store: HistoryStore): void {
  let fd: number;
  try {
    fd = openSync(place, "wx");
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return;
    throw error;
  }
  try {
    for (const part of store.parts(item.bytes)) {
      for (let at = 0; at < part.length;) at += writeSync(fd, part, at);
    }
    keepOwner(item, (uid, gid) => fchownSync(fd, uid, gid));
    fchmodSync(fd, item.mode);
    // In seconds, as a fraction: a Date would cut the time to milliseconds.
    futimesSync(fd, Date.now() / 1000, item.modified / 1000);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Only a privileged user may give files away; the content matters more than the owner. */
function keepOwner({ uid, gid }: RemovedItem, give: (uid: number, gid: number) => void): void {
  try {
    give(uid, gid);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
  }
}
