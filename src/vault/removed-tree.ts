import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeSync,
  fsyncSync,
} from "node:fs";
import path from "node:path";

import { errnoOf, ExpectedError } from "./errors.ts";
import type { HistoryStore } from "./history-store.ts";
import type { RemovedItem } from "./history-types.ts";

/**
 * Keeps everything at `top` in the history: the thing itself, then what is under it. Links are kept as links.
 * @param name what it is to be called when it comes back
 */
export function takeTree(top: string, name: string, store: HistoryStore): RemovedItem[] {
  const stat = lstatSync(top);
  const mode = stat.mode & 0o7777;
  if (stat.isSymbolicLink()) return [{ kind: "link", name, mode, target: readlinkSync(top) }];
  if (stat.isDirectory()) {
    const children = readdirSync(top).flatMap((child) =>
      takeTree(path.join(top, child), `${name}/${child}`, store),
    );
    return [{ kind: "folder", name, mode }, ...children];
  }
  if (!stat.isFile()) {
    throw new ExpectedError(
      "not_text",
      `${name} is a device, pipe or socket: it cannot be kept, so it is not removed.`,
    );
  }
  const fd = openSync(top, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = store.keepFile(fd);
    return [{ kind: "file", name, mode, bytes, size: stat.size, modified: stat.mtimeMs }];
  } finally {
    closeSync(fd);
  }
}

/** True when what is at `top` is still what {@link takeTree} saw: same names, sizes and times. */
export function isTree(top: string, items: readonly RemovedItem[]): boolean {
  const expected = new Map(items.map((item) => [item.name, item]));
  const root = items[0]?.name ?? "";
  const matches = (place: string, name: string): boolean => {
    const item = expected.get(name);
    const stat = lstatSync(place);
    if (item === undefined || !expected.delete(name)) return false;
    if (item.kind === "link") return stat.isSymbolicLink();
    if (item.kind === "file") {
      return stat.isFile() && stat.size === item.size && stat.mtimeMs === item.modified;
    }
    return (
      stat.isDirectory() &&
      readdirSync(place).every((child) => matches(path.join(place, child), `${name}/${child}`))
    );
  };
  return matches(top, root) && expected.size === 0;
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
  for (const item of items) {
    if (item.kind !== "link") chmodSync(top + item.name.slice(root.length), item.mode);
  }
}

function restoreFile(
  target: string,
  item: Extract<RemovedItem, { kind: "file" }>,
  store: HistoryStore,
): void {
  const fd = openSync(target, "wx");
  try {
    for (const part of store.parts(item.bytes)) {
      for (let at = 0; at < part.length;) at += writeSync(fd, part, at);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  utimesSync(target, new Date(), new Date(item.modified));
}
