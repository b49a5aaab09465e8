import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import path from "node:path";

import { errnoOf } from "../errors.ts";
import { standsIn, type Needles } from "../vault/history/erase-history.ts";

/** Read at a time; what a text may be split over is read twice. */
const CHUNK = 4 * 1024 * 1024;
const SLASH = Buffer.from(path.sep);

/** A file under a folder. */
export interface RawFile {
  /** As the disk has it: names need not be UTF-8, and a text of them would lead nowhere. */
  readonly place: Buffer;
  /** From the folder, as bytes and as it is shown. */
  readonly inside: Buffer;
  readonly name: string;
}

export interface FoundFiles {
  readonly files: readonly RawFile[];
  /** Folders, from the folder, that could not be listed. */
  readonly unread: readonly string[];
}

/** Every file under a folder, whatever its name. */
export function filesUnder(folder: string): FoundFiles {
  const files: RawFile[] = [];
  const unread: string[] = [];
  const look = (place: Buffer, inside: Buffer): void => {
    for (const entry of listed(place) ?? []) {
      const within = inside.length === 0 ? [entry.name] : [inside, SLASH, entry.name];
      const below = Buffer.concat(within);
      const at = Buffer.concat([place, SLASH, entry.name]);
      if (entry.isDirectory()) look(at, below);
      else if (entry.isFile()) files.push({ place: at, inside: below, name: below.toString() });
    }
  };
  const listed = (place: Buffer): ReturnType<typeof entriesOf> | null => {
    const from = Buffer.byteLength(folder) + SLASH.length;
    return readOr(() => entriesOf(place), place.subarray(from).toString(), unread);
  };
  look(Buffer.from(folder), Buffer.alloc(0));
  return { files, unread };
}

function entriesOf(place: Buffer) {
  return readdirSync(place, { encoding: "buffer", withFileTypes: true });
}

/** What was read; null for what is gone meanwhile, and for what cannot be read, which is named in `unread`. */
export function readOr<T>(read: () => T, name: string, unread: string[]): T | null {
  try {
    return read();
  } catch (error) {
    const code = errnoOf(error);
    if (code === null) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") unread.push(name);
    return null;
  }
}

/** Descriptors of databases, by their file. */
const held = new Map<string, number>();

/**
 * Reads a file. A database stays open: its locks are those of this process, as POSIX has it, and closing any descriptor of it gives up all of
 * them, also those by which SQLite and the owner of a vault hold it here.
 */
function opened<T>(file: Buffer | string, read: (fd: number) => T): T {
  if (file.includes(".sqlite")) {
    const { dev, ino } = statSync(file);
    const known = held.get(`${dev}:${ino}`);
    const fd = known ?? openSync(file, "r");
    held.set(`${dev}:${ino}`, fd);
    return read(fd);
  }
  const fd = openSync(file, "r");
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a file, which may be a database. */
export function bytesIn(file: Buffer | string): Buffer {
  return opened(file, (fd) => {
    const parts: Buffer[] = [];
    for (let at = 0; ;) {
      const chunk = Buffer.alloc(CHUNK);
      const read = readSync(fd, chunk, 0, CHUNK, at);
      if (read === 0) return Buffer.concat(parts);
      parts.push(chunk.subarray(0, read));
      at += read;
    }
  });
}

/** Whether a file holds one of these texts, in bounded memory. */
export function fileHolds(file: Buffer | string, needles: Needles): boolean {
  return opened(file, (fd) => descriptorHolds(fd, needles));
}

function descriptorHolds(fd: number, { texts, but = [] }: Needles): boolean {
  const longest = Math.max(...[...texts, ...but].map((text) => text.length));
  const chunk = Buffer.alloc(CHUNK + longest);
  for (let [at, kept] = [0, 0]; ;) {
    const read = readSync(fd, chunk, kept, CHUNK, at);
    at += read;
    const present = chunk.subarray(0, kept + read);
    // Where a longer name may go on in the next chunk, it is read first.
    const until = read === 0 ? present.length : Math.max(0, present.length - longest + 1);
    if (texts.some((text) => standsIn(present, text, { but, until }))) return true;
    if (read === 0) return false;
    chunk.copyWithin(0, until, present.length);
    kept = present.length - until;
  }
}
