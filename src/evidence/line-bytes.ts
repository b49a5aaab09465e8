import { hash } from "node:crypto";

import { ExpectedError } from "../errors.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import { splitLines, type LineRange } from "../vault/files/lines.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";

/** Beyond this a file is no note that an answer cites. */
const LARGEST = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A file with its lines as they are on disk. */
export class LineBytes {
  readonly path: VaultPath;
  readonly #bytes: Buffer;
  /** Where each line starts, and where the last one ends. */
  readonly #starts: readonly number[];
  #lines: readonly string[] | null = null;

  constructor(path: VaultPath, bytes: Buffer) {
    this.path = path;
    this.#bytes = bytes;
    const starts = bytes.length === 0 ? [] : [0];
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1))
      starts.push(at + 1);
    if (starts.at(-1) !== bytes.length) starts.push(bytes.length);
    this.#starts = starts;
  }

  get total(): number {
    return Math.max(0, this.#starts.length - 1);
  }

  /** As the tools show them. */
  get lines(): readonly string[] {
    this.#lines ??= splitLines(decodeUtf8(this.#bytes));
    return this.#lines;
  }

  /** The bytes of some lines, with their endings; empty for lines that are not there. */
  of({ start, end }: LineRange): Buffer {
    const [from, to] = [this.#starts[start - 1], this.#starts[end]];
    return from === undefined || to === undefined
      ? Buffer.alloc(0)
      : this.#bytes.subarray(from, to);
  }
}

export function sha256(bytes: Buffer | string): string {
  return hash("sha256", bytes, "hex");
}

/** Null when there is no such text file. */
export async function readLineBytes(
  vault: Pick<VaultReader, "find" | "readBytes">,
  path: VaultPath,
): Promise<LineBytes | null> {
  try {
    if ((await vault.find(path)).kind !== "file") return null;
    const { bytes, size } = await vault.readBytes(path, LARGEST);
    return size > LARGEST ? null : new LineBytes(path, bytes);
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

const RANGE = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/u;

/** Null for what is no range of lines. */
export function rangeOf(lines: string): LineRange | null {
  const [, first, last = first] = RANGE.exec(lines) ?? [];
  const range = { start: Number(first), end: Number(last) };
  return range.start >= 1 && range.end >= range.start ? range : null;
}
