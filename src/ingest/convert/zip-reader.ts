import { constants, crc32, inflateRawSync } from "node:zlib";

import { ExpectedError } from "../../errors.ts";
import { formatBytes } from "../../text/tokens.ts";
import type { Limits } from "../limits.ts";
import { asBuffer } from "./converted.ts";

/** A file in an archive, still packed. */
interface PackedEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedSize: number;
  readonly headerAt: number;
  readonly sum: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const LONGEST_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;
const IN_ZIP64 = 0xffffffff;
/** An archive with more entries is refused. */
const MOST_ENTRIES = 20_000;

/**
 * Reads a ZIP archive from memory. Bytes are counted while they are unpacked, because the sizes in the archive are not trusted: a
 * small file cannot become a large one.
 */
export class ZipReader {
  /** How to name the archive in errors. */
  readonly name: string;
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, PackedEntry>();
  readonly #limits: Pick<Limits, "unpackedBytes">;
  #left: number;

  constructor(bytes: Uint8Array, name: string, limits: Pick<Limits, "unpackedBytes">) {
    this.name = name;
    this.#bytes = asBuffer(bytes);
    this.#limits = limits;
    this.#left = limits.unpackedBytes;
    try {
      this.#readDirectory();
    } catch (error) {
      if (error instanceof RangeError) throw this.#damaged("its directory is cut off", error);
      throw error;
    }
  }

  /** The names of its files as written, with `/`: untrusted, never to be used as paths. */
  get files(): string[] {
    return [...this.#entries.keys()].filter((name) => !name.endsWith("/"));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The unpacked bytes of an entry; null when there is none of that name. */
  read(name: string): Buffer | null {
    const entry = this.#entries.get(name);
    return entry === undefined ? null : this.#unpack(entry);
  }

  /** The text of an entry, UTF-8 or UTF-16 by its byte-order mark; null when there is none of that name. */
  text(name: string): string | null {
    const bytes = this.read(name);
    if (bytes === null) return null;
    const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
    return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
  }

  #readDirectory(): void {
    const bytes = this.#bytes;
    const start = Math.max(0, bytes.length - LONGEST_COMMENT - 22);
    let end = -1;
    for (let at = bytes.length - 22; at >= start && end < 0; at -= 1) {
      if (bytes.readUInt32LE(at) === END) end = at;
    }
    if (end < 0) throw this.#damaged("its directory is missing");
    const count = bytes.readUInt16LE(end + 10);
    let at = bytes.readUInt32LE(end + 16);
    if (at === IN_ZIP64) throw this.#damaged("it is in the ZIP64 form, for archives over 4 GB");
    if (count > MOST_ENTRIES) throw this.#damaged(`it lists ${count} files`);
    for (let index = 0; index < count; index += 1) {
      if (bytes.readUInt32LE(at) !== CENTRAL) throw this.#damaged("its directory is not whole");
      const lengths = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
      const [nameLength = 0] = lengths;
      const isUnicode = (bytes.readUInt16LE(at + 8) & 0x0800) !== 0;
      const rawName = bytes.subarray(at + 46, at + 46 + nameLength);
      const name = nameText(rawName, isUnicode);
      this.#entries.set(name, {
        name,
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
        method: bytes.readUInt16LE(at + 10),
        sum: bytes.readUInt32LE(at + 16),
        packedSize: bytes.readUInt32LE(at + 20),
        headerAt: bytes.readUInt32LE(at + 42),
      });
      at += 46 + lengths.reduce((sum, length) => sum + length, 0);
    }
  }

  #unpack(entry: PackedEntry): Buffer {
    if (entry.isEncrypted) {
      throw new ExpectedError(
        "not_text",
        `${this.name} is encrypted (${entry.name} needs a password). Save it without one first.`,
      );
    }
    const bytes = this.#bytes;
    try {
      if (bytes.readUInt32LE(entry.headerAt) !== LOCAL) throw new RangeError("no header");
      const extra =
        bytes.readUInt16LE(entry.headerAt + 26) + bytes.readUInt16LE(entry.headerAt + 28);
      const start = entry.headerAt + 30 + extra;
      const packed = bytes.subarray(start, start + entry.packedSize);
      const unpacked = this.#inflate(entry, packed);
      if (crc32(unpacked) !== entry.sum) throw this.#damaged(`${entry.name} is not what it was`);
      this.#left -= unpacked.length;
      return unpacked;
    } catch (error) {
      if (error instanceof RangeError) throw this.#damaged(`${entry.name} is cut off`, error);
      throw error;
    }
  }

  #inflate(entry: PackedEntry, packed: Buffer): Buffer {
    if (entry.method === STORED) {
      if (packed.length > this.#left) throw this.#bomb();
      return packed;
    }
    if (entry.method !== DEFLATED) {
      throw this.#damaged(
        `${entry.name} is packed in a way (${entry.method}) that is not read here`,
      );
    }
    try {
      const maxOutputLength = Math.max(1, this.#left);
      return inflateRawSync(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
    } catch (error) {
      const isTooMuch = error instanceof RangeError;
      throw isTooMuch ? this.#bomb() : this.#damaged(`${entry.name} cannot be unpacked`, error);
    }
  }

  #bomb(): ExpectedError {
    return new ExpectedError(
      "too_large",
      `${this.name} holds more than ${formatBytes(this.#limits.unpackedBytes)} when it is unpacked. Unpack it yourself, and take in the files you want.`,
    );
  }

  #damaged(why: string, cause?: unknown): ExpectedError {
    return new ExpectedError(
      "not_text",
      `${this.name} cannot be read: ${why}. Is the file complete? Save or download it again.`,
      { cause },
    );
  }
}

/** Old archives do not say how their names are written: UTF-8 when it fits, else Latin-1. */
function nameText(raw: Buffer, isUnicode: boolean): string {
  const text = raw.toString("utf8");
  return isUnicode || !text.includes("\ufffd") ? text : raw.toString("latin1");
}
