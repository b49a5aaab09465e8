import {
  chmodSync,
  chownSync,
  closeSync,
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
} from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";

import { errnoOf, ExpectedError } from "../../errors.ts";
import type { Disk, Entry } from "../disk.ts";
import { openToRead, partsOf, readBytes, writeAll } from "../files/bytes.ts";
import { LARGEST_TEXT } from "../files/text-file.ts";
import { versionHash } from "../files/version.ts";
import { ChangedMeanwhile } from "../write/atomic-write.ts";
import { keepOwner, OpenFolder } from "../write/open-folder.ts";
import { hashOfParts, keptBytes, type History, type KeepBytes } from "./history.ts";
import type { RemovedItem } from "./history-types.ts";

/** Bytes of a file that are in memory at a time. */
const PART = 4 * 1024 * 1024;

/**
 * Keeps in the history the thing called `onDisk` in an open folder, then all that is under it. Links are kept as links.
 * Goes from open folder to open folder, so that a link planted on the way is not followed.
 * @param name what it is called when it is restored
 */
export function takeTree(
  folder: OpenFolder,
  onDisk: string,
  name: string,
  keep: KeepBytes,
): RemovedItem[] {
  const place = folder.at(onDisk);
  const stat = lstatSync(place);
  const base = { name, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
  if (stat.isSymbolicLink()) return [{ ...base, kind: "link", target: readlinkSync(place) }];
  if (stat.isDirectory()) {
    const inner = new OpenFolder(place);
    try {
      const children = readdirSync(inner.base).flatMap((child) =>
        takeTree(inner, child, `${name}/${child}`, keep),
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
  return reading(place, (fd) => {
    const opened = fstatSync(fd);
    if (!opened.isFile()) throw new ExpectedError("busy", `${name} keeps changing; try again.`);
    const bytes = keep(stableParts(fd));
    return [{ ...base, kind: "file", bytes, size: opened.size, modified: opened.mtimeMs }];
  });
}

function reading<T>(place: string, use: (fd: number) => T): T {
  const fd = openToRead(place);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** The bytes of an open file, in parts. Throws when a later iteration reads other bytes than the first. */
function stableParts(fd: number): Iterable<Buffer> {
  let first: number | null = null;
  return {
    *[Symbol.iterator]() {
      let sum = 0;
      for (const part of partsOf(fd, PART)) {
        sum = crc32(part, sum);
        yield part;
      }
      if (sum !== (first ?? sum)) throw new ChangedMeanwhile("A file");
      first = sum;
    },
  };
}

export type RemovedFile = Extract<RemovedItem, { kind: "file" }>;

/** Whether the file at `place` is still the one that was kept. */
export type SameFile = (place: string, item: RemovedFile) => boolean | Promise<boolean>;

/** By size and time: enough for the moment between keeping a file and removing it. */
export function hasSameTime(place: string, item: RemovedFile): boolean {
  const stat = lstatSync(place);
  return stat.size === item.size && Math.abs(stat.mtimeMs - item.modified) < 0.01;
}

/** By content, whatever became of its time; what the background job writes does not count. */
function hasSameText(history: History): SameFile {
  return async (place, item) => {
    const now = reading(place, (fd) => {
      if (hashOfParts(partsOf(fd, PART)) === item.bytes) return true;
      const { size } = fstatSync(fd);
      return size <= LARGEST_TEXT && item.size <= LARGEST_TEXT && readBytes(fd, 0, size);
    });
    if (typeof now === "boolean") return now;
    return versionHash(now) === versionHash(await keptBytes(history, item.bytes));
  };
}

/** Whether something in the vault is still what {@link takeTree} kept, by the text of its files. */
export async function isStillKept(
  entry: Entry,
  items: readonly RemovedItem[],
  { disk, history }: { readonly disk: Disk; readonly history: History },
): Promise<boolean> {
  const folder = disk.openFolder(entry.folder);
  try {
    return await isTree(folder, entry.name, items, hasSameText(history));
  } finally {
    folder.close();
  }
}

/**
 * True when the thing called `onDisk` in an open folder is still what {@link takeTree} saw: the same names, and the same files by
 * `isSame`.
 */
export async function isTree(
  folder: OpenFolder,
  onDisk: string,
  items: readonly RemovedItem[],
  isSame: SameFile,
): Promise<boolean> {
  const expected = new Map(items.map((item) => [item.name, item]));
  const matches = async (within: OpenFolder, child: string, name: string): Promise<boolean> => {
    const item = expected.get(name);
    const place = within.at(child);
    const stat = lstatSync(place);
    if (item === undefined || !expected.delete(name)) return false;
    if (item.kind === "link") return stat.isSymbolicLink() && readlinkSync(place) === item.target;
    if (item.kind === "file") return stat.isFile() && isSame(place, item);
    if (!stat.isDirectory()) return false;
    return inside(place, async (inner) => {
      for (const each of readdirSync(inner.base))
        if (!(await matches(inner, each, `${name}/${each}`))) return false;
      return true;
    });
  };
  return (await matches(folder, onDisk, items[0]?.name ?? "")) && expected.size === 0;
}

async function inside<T>(place: string, use: (folder: OpenFolder) => Promise<T>): Promise<T> {
  const folder = new OpenFolder(place);
  try {
    return await use(folder);
  } finally {
    folder.close();
  }
}

/** Removes the thing called `onDisk` in an open folder and all under it, following no link. */
export async function removeTree(folder: OpenFolder, onDisk: string): Promise<void> {
  const place = folder.at(onDisk);
  if (!lstatSync(place).isDirectory()) {
    unlinkSync(place);
    return;
  }
  await inside(place, async (inner) => {
    for (const child of readdirSync(inner.base)) await removeTree(inner, child);
  });
  rmdirSync(place);
}

/** Builds, as `onDisk` in an open folder, what {@link takeTree} kept. Parts that are still there are left as they are. */
export async function restoreTree(
  folder: OpenFolder,
  onDisk: string,
  items: readonly RemovedItem[],
  history: History,
): Promise<void> {
  const children = Map.groupBy(items, ({ name }) => path.posix.dirname(name));
  const restore = async (within: OpenFolder, name: string, item: RemovedItem): Promise<void> => {
    const place = within.at(name);
    if (item.kind === "file") return restoreFile(place, item, history);
    if (item.kind === "link") {
      unlessThere(() => symlinkSync(item.target, place));
      keepOwner(item, (uid, gid) => lchownSync(place, uid, gid));
      return;
    }
    unlessThere(() => mkdirSync(place));
    await inside(place, async (inner) => {
      for (const child of children.get(item.name) ?? [])
        await restore(inner, path.posix.basename(child.name), child);
      inner.sync();
      keepOwner(item, (uid, gid) => chownSync(inner.base, uid, gid));
      // Last, since a folder without write permission could not have been filled.
      chmodSync(inner.base, item.mode);
    });
  };
  const [top] = items;
  if (top !== undefined) await restore(folder, onDisk, top);
}

/** Runs `make`; null when what it makes is there already. */
function unlessThere<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return null;
    throw error;
  }
}

async function restoreFile(place: string, item: RemovedFile, history: History): Promise<void> {
  const fd = unlessThere(() => openSync(place, "wx"));
  if (fd === null) return;
  try {
    let written = 0;
    for await (const part of history.parts(item.bytes)) {
      writeAll(fd, part, written);
      written += part.length;
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
