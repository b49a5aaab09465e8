import { isUtf8 } from "node:buffer";

import { BLOCK, damagedArchive, sumOf, type TarHead } from "./tar.ts";

/** A record longer than this is of no archive of ours. */
const LONGEST_RECORD = 1_000_000;

const KINDS: Readonly<Record<string, TarHead["kind"]>> = {
  "0": "file",
  "5": "folder",
  "2": "link",
};

/** What stands before a head, as bytes: names need not be UTF-8. */
type Records = Map<string, Buffer>;

/** One thing of an archive. Its content must be read, or left, before the next one is asked for. */
export interface TarEntry {
  readonly head: TarHead;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The things in a tar archive, one by one, in bounded memory. Throws `invalid_argument` for anything that is not one. */
export async function* untar(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(archive);
  let records: Records = new Map();
  for (;;) {
    const block = await bytes.take(BLOCK);
    if (block.every((byte) => byte === 0)) return bytes.drain();
    if (octal(block, 148, 8) !== sumOf(block)) throw damagedArchive("a head has another sum");
    const size = Number(records.get("size")?.toString() ?? octal(block, 124, 12));
    const type = block.toString("latin1", 156, 157);
    if (type === "x") {
      if (size > LONGEST_RECORD) throw damagedArchive("a record is too long");
      records = recordsIn(await bytes.take(size));
      await bytes.skip(fillOf(size));
      continue;
    }
    const kind = KINDS[type];
    if (kind === undefined) throw damagedArchive(`it holds a thing of type ${type}`);
    const modified = records.get("mtime")?.toString();
    const [name, target] = [records.get("path"), records.get("linkpath")];
    const head: TarHead = {
      name: name?.toString() ?? text(block, 0, 100),
      kind,
      size: kind === "file" ? size : 0,
      mode: octal(block, 100, 8),
      modified:
        modified === undefined
          ? octal(block, 136, 12) * 1000
          : Math.round(Number(modified) * 1e6) / 1000,
      target: target?.toString() ?? text(block, 157, 257),
      ...(name === undefined || isUtf8(name) ? {} : { rawName: name }),
      ...(target === undefined || isUtf8(target) ? {} : { rawTarget: target }),
    };
    records = new Map();
    let left = head.size;
    const content = async function* (): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const chunk = await bytes.some(left);
        left -= chunk.length;
        yield chunk;
      }
    };
    yield { head, content: content() };
    await bytes.skip(left + fillOf(head.size));
  }
}

function fillOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function text(block: Buffer, from: number, to: number): string {
  return block.toString("latin1", from, to).split("\0", 1)[0] ?? "";
}

function octal(block: Buffer, at: number, width: number): number {
  const digits = text(block, at, at + width).trim();
  if (!/^[0-7]+$/u.test(digits)) throw damagedArchive("a number in it is none");
  return Number.parseInt(digits, 8);
}

function recordsIn(body: Buffer): Records {
  const records: Records = new Map();
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.toString("latin1", at, space));
    const entry = body.subarray(space + 1, at + length - 1);
    const equals = entry.indexOf("=");
    if (space < 0 || !(length > 0) || equals < 0) throw damagedArchive("a record is malformed");
    records.set(entry.toString("utf8", 0, equals), Buffer.from(entry.subarray(equals + 1)));
    at += length;
  }
  return records;
}

/** Takes bytes off a stream in the amounts that are wanted. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At least one byte, at most so many. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) throw damagedArchive("it is not complete");
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  async take(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = count; left > 0;) {
      const part = await this.some(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** To the very end, where an encrypted stream tells whether it is complete. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0;) left -= (await this.some(left)).length;
  }
}
