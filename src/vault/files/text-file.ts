import { closeSync } from "node:fs";

import type { Disk, Located } from "../disk.ts";
import { ExpectedError, explainErrno } from "../../errors.ts";
import { buildLineIndex, type LineIndex, type LineIndexes } from "./line-index.ts";
import { NEWLINE, readBytes, readInto } from "./bytes.ts";
import { splitLines } from "./lines.ts";
import { showPath, type VaultPath } from "../paths.ts";
import type { VaultItem } from "../vault.ts";
import { formatBytes } from "../../text/tokens.ts";
import { bomLength, decodeUtf8, isTextBytes } from "../../text/utf8.ts";
import { signatureOf, SMALL_FILE, versionHash, type FileVersion } from "./version.ts";

/** Text beyond this is not a note: a log, a dump, a disk image. */
export const LARGEST_TEXT = 256 * 1024 * 1024;

/** Consecutive lines of a file, and the number of the first. */
export interface LineRun {
  readonly first: number;
  readonly lines: readonly string[];
  /** When the budget held no line: the cost in characters of the line that did not fit. */
  readonly tooLong?: number;
}

/** A text file as the tools see it: lines without their endings, numbered from 1. */
export interface TextFile {
  /** Links followed: two names of one file have the same. */
  readonly path: VaultPath;
  readonly version: FileVersion;
  readonly totalLines: number;
  /** Size on disk. */
  readonly bytes: number;
  /**
   * Lines `start` to `end`, 1-based and inclusive; both must be in the file.
   * @param enough stop early once the lines cost more characters than this
   */
  range(start: number, end: number, enough?: number): LineRun;
  /** The first whole lines whose cost, the length of each with its newline, fits `characters`. */
  head(characters: number): LineRun;
  /** The last such lines. */
  tail(characters: number): LineRun;
}

export function notText(path: VaultPath): ExpectedError {
  return new ExpectedError(
    "not_text",
    `${showPath(path)} is not UTF-8 text. Convert it first: coffre ingest FILE.`,
  );
}

export function tooLarge(path: VaultPath, size: number | bigint): ExpectedError {
  return new ExpectedError(
    "too_large",
    `${showPath(path)} is ${formatBytes(Number(size))}; text files up to ${formatBytes(LARGEST_TEXT)} are handled. Split it, or keep it outside the vault.`,
  );
}

/**
 * The first lines of `lines` that fit, and what the first one costs if none does.
 * @param unended which of them, from 0, has no newline, and so costs one character less; -1 when all have one
 */
function fitting(
  lines: Iterable<string>,
  characters: number,
  unended: number,
): { lines: string[]; tooLong?: number } {
  const taken: string[] = [];
  let spent = 0;
  for (const line of lines) {
    const cost = line.length + (taken.length === unended ? 0 : 1);
    spent += cost;
    if (spent > characters) {
      return taken.length === 0 ? { lines: taken, tooLong: cost } : { lines: taken };
    }
    taken.push(line);
  }
  return { lines: taken };
}

/** Small files are read into it and decoded in the same turn: a buffer for each would be most of the garbage of `read`. */
const shared = Buffer.allocUnsafe(SMALL_FILE);

class SmallText implements TextFile {
  readonly path: VaultPath;
  readonly version: FileVersion;
  readonly bytes: number;
  readonly totalLines: number;
  readonly #lines: readonly string[];
  readonly #isEnded: boolean;

  /** @param content not kept: it may be used for the next file */
  constructor(path: VaultPath, signature: string, content: Buffer) {
    this.path = path;
    this.bytes = content.length;
    this.version = { signature, hash: versionHash(content) };
    this.#lines = splitLines(decodeUtf8(content));
    this.totalLines = this.#lines.length;
    this.#isEnded = content.at(-1) === NEWLINE;
  }

  range(start: number, end: number): LineRun {
    const whole = start === 1 && end === this.totalLines;
    return { first: start, lines: whole ? this.#lines : this.#lines.slice(start - 1, end) };
  }

  head(characters: number): LineRun {
    return {
      first: 1,
      ...fitting(this.#lines, characters, this.#isEnded ? -1 : this.totalLines - 1),
    };
  }

  tail(characters: number): LineRun {
    const { lines, ...rest } = fitting(backwards(this.#lines), characters, this.#isEnded ? -1 : 0);
    return { first: this.totalLines - lines.length + 1, lines: lines.toReversed(), ...rest };
  }
}

function* backwards(lines: readonly string[]): Generator<string> {
  for (let at = lines.length - 1; at >= 0; at -= 1) yield lines[at] ?? "";
}

const CHUNK = 64 * 1024;

/** A file read by its parts. Every call opens the file again, and fails when it is no longer the one that was indexed. */
class LargeText implements TextFile {
  readonly path: VaultPath;
  readonly version: FileVersion;
  readonly bytes: number;
  readonly totalLines: number;
  readonly #disk: Disk;
  readonly #index: LineIndex;

  constructor(disk: Disk, located: Located, index: LineIndex) {
    this.path = located.path;
    this.bytes = Number(located.stat.size);
    this.version = disk.stamps.versionOf(index.signature, null);
    this.totalLines = index.lines;
    this.#disk = disk;
    this.#index = index;
  }

  #opened<T>(use: (fd: number) => T): T {
    return this.#disk.read(this.path, (fd, { stat }) => {
      if (signatureOf(stat) === this.version.signature) return use(fd);
      throw new ExpectedError("busy", `${showPath(this.path)} is being written; read it again.`);
    });
  }

  range(start: number, end: number, enough = Number.POSITIVE_INFINITY): LineRun {
    const mark = this.#index.marks.findLast(([line]) => line <= start) ?? [1, 0];
    return this.#opened((fd) => {
      const lines: string[] = [];
      let number = mark[0];
      let spent = 0;
      for (const line of linesFrom(fd, mark[1])) {
        if (number > end || spent > enough) break;
        if (number >= start) {
          lines.push(line);
          spent += line.length + 1;
        }
        number += 1;
      }
      return { first: start, lines };
    });
  }

  head(characters: number): LineRun {
    return this.#opened((fd) => {
      const isEnded = readBytes(fd, this.bytes - 1, 1)[0] === NEWLINE;
      return {
        first: 1,
        ...fitting(linesFrom(fd, 0), characters, isEnded ? -1 : this.totalLines - 1),
      };
    });
  }

  tail(characters: number): LineRun {
    // A UTF-16 unit takes at most three bytes, a line ending two.
    const window = Math.min(this.bytes, characters * 4 + 2);
    const offset = this.bytes - window;
    const tail = this.#opened((fd) => readBytes(fd, offset, window));
    const firstStart = offset === 0 ? bomLength(tail) : tail.indexOf(NEWLINE) + 1;
    const whole =
      firstStart > 0 || offset === 0 ? splitLines(tail.toString("utf8", firstStart)) : [];
    const isEnded = tail.at(-1) === NEWLINE;
    const fit = fitting(backwards(whole), characters, isEnded ? -1 : 0);
    if (fit.lines.length === 0 && this.totalLines > 0) {
      const last = this.range(this.totalLines, this.totalLines).lines[0] ?? "";
      const tooLong = last.length + (isEnded ? 1 : 0);
      return { first: this.totalLines + 1, lines: [], tooLong };
    }
    const { lines } = fit;
    return { first: this.totalLines - lines.length + 1, lines: lines.toReversed() };
  }
}

/** The lines from a byte offset that starts one, reading ahead only as far as they are asked for. */
function* linesFrom(fd: number, start: number): Generator<string> {
  let offset = start;
  // Chunks since the last line end: put together once, when the next one comes.
  let pending: Buffer[] = [];
  for (;;) {
    const chunk = readBytes(fd, offset, CHUNK);
    const from = offset === 0 ? bomLength(chunk) : 0;
    offset += chunk.length;
    const isEnd = chunk.length < CHUNK;
    const cut = isEnd ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1;
    pending.push(chunk.subarray(from, Math.max(from, cut)));
    if (isEnd || cut > 0) {
      yield* splitLines(Buffer.concat(pending).toString("utf8"));
      pending = [];
    }
    if (isEnd) return;
    pending.push(chunk.subarray(Math.max(from, cut)));
  }
}

/** Opens the text at `path`. Throws `not_a_file`, `not_text` or `too_large` for anything else. */
export async function openText(
  disk: Disk,
  indexes: LineIndexes,
  path: VaultPath,
): Promise<TextFile> {
  const { fd, located } = disk.open(path);
  try {
    if (located.stat.size > LARGEST_TEXT) throw tooLarge(path, located.stat.size);
    if (located.stat.size <= SMALL_FILE) {
      const content = readInto(shared, fd, 0, Number(located.stat.size));
      if (!isTextBytes(content)) throw notText(path);
      return new SmallText(located.path, signatureOf(located.stat), content);
    }
    const signature = signatureOf(located.stat);
    let index = indexes.get(located.path, signature);
    if (index === null) {
      index = await buildLineIndex(fd, signature);
      indexes.set(located.path, index);
    }
    if (!index.isText) throw notText(path);
    return new LargeText(disk, located, index);
  } catch (error) {
    throw explainErrno(error, showPath(path));
  } finally {
    closeSync(fd);
  }
}

/** A text that is not on the disk, as the tools see it. */
export function textInMemory(path: VaultPath, text: string): TextFile {
  const content = Buffer.from(text);
  return textOfBytes(path, `memory:${versionHash(content)}`, content);
}

/** The same text as an item of the vault, made when it is asked for. */
export function itemInMemory(asked: VaultPath, text: string, now: Date): VaultItem {
  const { path, bytes: size, version } = textInMemory(asked, text);
  const item = { path, size, version: version.signature, touched: 0, created: 0 };
  return { kind: "file", ...item, modified: now.getTime(), isListed: true, isReadOnly: true };
}

/** A text whose bytes are all in memory, as the tools see it. */
export function textOfBytes(path: VaultPath, signature: string, content: Buffer): TextFile {
  return new SmallText(path, signature, content);
}

/** A file's whole content, for changing it. */
export interface WholeText {
  /** Links followed. */
  readonly path: VaultPath;
  readonly bytes: Buffer;
  /** Without byte-order mark, line endings as on disk. */
  readonly text: string;
  readonly version: FileVersion;
}

export function readWholeText(disk: Disk, path: VaultPath): WholeText {
  const { located, bytes } = readWholeFile(disk, path);
  const hash = bytes.length <= SMALL_FILE ? versionHash(bytes) : null;
  const version = disk.stamps.versionOf(signatureOf(located.stat), hash);
  return { path: located.path, bytes, text: decodeUtf8(bytes), version };
}

/** The bytes of a text file. Throws for anything else. */
export function readWholeFile(
  disk: Disk,
  path: VaultPath,
): { readonly located: Located; readonly bytes: Buffer } {
  return disk.read(path, (fd, located) => {
    if (located.stat.size > LARGEST_TEXT) throw tooLarge(path, located.stat.size);
    const bytes = readBytes(fd, 0, Number(located.stat.size));
    if (!isTextBytes(bytes)) throw notText(path);
    return { located, bytes };
  });
}
