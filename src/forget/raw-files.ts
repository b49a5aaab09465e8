import { closeSync, openSync, readdirSync, readSync } from "node:fs";
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

/** Whether a file holds one of these texts, in bounded memory. */
export function fileHolds(file: Buffer | string, needles: Needles): boolean {
  const { texts, but = [] } = needles;
  const longest = Math.max(...[...texts, ...but].map((text) => text.length));
  const fd = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(CHUNK + longest);
    let kept = 0;
    for (;;) {
      const read = readSync(fd, chunk, kept, CHUNK, null);
      const present = chunk.subarray(0, kept + read);
      // Where a longer name may go on in the next chunk, it is read first.
      const until = read === 0 ? present.length : present.length - longest + 1;
      if (texts.some((text) => standsIn(present, text, { but, until }))) return true;
      if (read === 0) return false;
      const tail = present.subarray(Math.max(0, until));
      kept = tail.length;
      chunk.copyWithin(0, present.length - kept, present.length);
    }
  } finally {
    closeSync(fd);
  }
}
