import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { mkdirSync, readFileSync, readSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { VaultPath } from "../paths.ts";
import { countNewlines, NEWLINE } from "./bytes.ts";
import { temporaryName } from "../write/open-folder.ts";

/** What must be known of a large file to show any of its lines without reading the others. */
export interface LineIndex {
  readonly signature: string;
  readonly lines: number;
  /** False when the bytes are not UTF-8 text. */
  readonly isText: boolean;
  /** Pairs of a line number and the byte offset where it starts, in order: every few thousand lines. */
  readonly marks: readonly (readonly [line: number, offset: number])[];
}

const LINES_PER_MARK = 4096;
const CHUNK = 1024 * 1024;

/** Reads a file once, in constant memory, counting its lines. Yields to the event loop between chunks. */
export async function buildLineIndex(fd: number, signature: string): Promise<LineIndex> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  const marks: [number, number][] = [[1, 0]];
  let newlines = 0;
  let offset = 0;
  let isText = true;
  let carried = Buffer.alloc(0);
  let last = -1;
  for (;;) {
    const size = readSync(fd, chunk, 0, CHUNK, offset);
    if (size === 0) break;
    const bytes = chunk.subarray(0, size);
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      newlines += 1;
      if (newlines % LINES_PER_MARK === 0) marks.push([newlines + 1, offset + at + 1]);
    }
    // A character may be cut by the chunk's end: check up to the last start of one.
    const whole = lastCharacterStart(bytes);
    if (isText) {
      isText = isUtf8(Buffer.concat([carried, bytes.subarray(0, whole)])) && !bytes.includes(0);
    }
    carried = Buffer.from(bytes.subarray(whole));
    last = bytes[size - 1] ?? -1;
    offset += size;
    await nextTurn();
  }
  if (isText) isText = isUtf8(carried);
  const lines = last === -1 || last === NEWLINE ? newlines : newlines + 1;
  return { signature, lines, isText, marks };
}

/** Offset of the last byte that begins a character, or the end when the last character is plain ASCII. */
function lastCharacterStart(bytes: Buffer): number {
  const end = bytes.length;
  for (let back = 1; back <= 4 && back <= end; back += 1) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return end - back;
  }
  return end;
}

/** A part of a file that was replaced. */
export interface ReplacedBytes {
  readonly at: number;
  readonly removed: Buffer;
  readonly inserted: Buffer;
  /** Size of the file before. */
  readonly size: number;
  /** Whether the byte before `at` ends a line. */
  readonly startsLine: boolean;
}

/** The index of a file after a part of it was replaced by text, without reading the file again. */
export function spliceIndex(index: LineIndex, signature: string, part: ReplacedBytes): LineIndex {
  const { at, removed, inserted, size, startsLine } = part;
  const end = at + removed.length;
  const shift = countNewlines(inserted) - countNewlines(removed);
  const marks = index.marks.flatMap(([line, offset]): [number, number][] => {
    if (offset <= at) return [[line, offset]];
    return offset <= end ? [] : [[line + shift, offset - removed.length + inserted.length]];
  });
  /** 1 for a last line without its line end, which counts as a line all the same. */
  const openLine = (bytes: Buffer): number => {
    const isEmpty = at === 0 && bytes.length === 0;
    const isEnded = bytes.length === 0 ? startsLine : bytes.at(-1) === NEWLINE;
    return isEmpty || isEnded ? 0 : 1;
  };
  const atEnd = end === size ? openLine(inserted) - openLine(removed) : 0;
  return { signature, lines: index.lines + shift + atEnd, isText: index.isText, marks };
}

const KEPT_IN_MEMORY = 200;

/** Line indexes by path, valid while the file's signature is the same; kept in `folder` for the next process. */
export class LineIndexes {
  readonly #folder: string;
  readonly #kept = new Map<VaultPath, LineIndex>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(file: VaultPath, signature: string): LineIndex | null {
    const index = this.#kept.get(file) ?? this.#load(file);
    if (index === null || index.signature !== signature) return null;
    this.#kept.set(file, index);
    return index;
  }

  set(file: VaultPath, index: LineIndex): void {
    this.#kept.delete(file);
    this.#kept.set(file, index);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEPT_IN_MEMORY && !oldest.done) this.#kept.delete(oldest.value);
    this.#save(file, index);
  }

  #file(file: VaultPath): string {
    return path.join(this.#folder, createHash("sha256").update(file).digest("hex").slice(0, 32));
  }

  #load(file: VaultPath): LineIndex | null {
    try {
      const index: LineIndex = JSON.parse(readFileSync(this.#file(file), "utf8"));
      return Number.isInteger(index.lines) && Array.isArray(index.marks) ? index : null;
    } catch {
      // Missing or damaged: the index is built again.
      return null;
    }
  }

  #save(file: VaultPath, index: LineIndex): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const temporary = path.join(this.#folder, temporaryName());
      writeFileSync(temporary, JSON.stringify(index), { mode: 0o600 });
      renameSync(temporary, this.#file(file));
    } catch {
      // Without the saved index, the next process builds it again.
    }
  }
}
