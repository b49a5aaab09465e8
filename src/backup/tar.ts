import { ExpectedError } from "../errors.ts";

/** The unit of the format: heads take one, and what follows them is filled up to whole ones. */
export const BLOCK = 512;
const LONGEST_NAME = 100;
/** What the octal fields of a head can hold; more goes into a record of its own. */
const MOST_SIZE = 0o77_777_777_777;

/** One thing in an archive: its name with `/`, what it is, and all of it that is restored. */
export interface TarHead {
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
  /** Bytes that follow; 0 for folders and links. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** What a link leads to. */
  readonly target?: string;
  /** Their bytes, where they are not UTF-8. */
  readonly rawName?: Buffer;
  readonly rawTarget?: Buffer;
}

const TYPES = { file: "0", folder: "5", link: "2" } as const;

/**
 * The bytes that stand before a file's content in a tar archive (POSIX pax), which any tar program reads. Names, times and sizes that the
 * old format cannot hold come in a record before it. Names that are not UTF-8 come in one too, as the bytes they are.
 */
export function tarHead(head: TarHead): Buffer {
  const records = new Map<string, string | Buffer>();
  const { name, target = "", size, modified, rawName, rawTarget } = head;
  // As the format has it: what follows need not be UTF-8.
  if (rawName !== undefined || rawTarget !== undefined) records.set("hdrcharset", "BINARY");
  if (!fits(name) || rawName !== undefined) records.set("path", rawName ?? name);
  if (!fits(target) || rawTarget !== undefined) records.set("linkpath", rawTarget ?? target);
  if (size > MOST_SIZE) records.set("size", String(size));
  if (!Number.isInteger(modified / 1000)) records.set("mtime", (modified / 1000).toFixed(6));
  const own = headBlock({ ...head, type: TYPES[head.kind] });
  if (records.size === 0) return own;
  const body = Buffer.concat([...records].map(([key, value]) => record(key, value)));
  const before = headBlock({
    name: "pax",
    type: "x",
    size: body.length,
    mode: 0o600,
    modified: 0,
  });
  return Buffer.concat([before, body, padding(body.length), own]);
}

/** What fills the last block of `size` bytes. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** What an archive ends with. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK);
}

function fits(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the old format holds ASCII
  return text.length <= LONGEST_NAME && /^[\u0001-\u007f]*$/u.test(text);
}

/** A record names its own length, the digits of it included. */
function record(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from("\n")]);
  let length = rest.length + 1;
  while (length !== rest.length + String(length).length)
    length = rest.length + String(length).length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

function headBlock(head: Omit<TarHead, "kind"> & { readonly type: string }): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { name, type, size, mode, modified, target = "" } = head;
  block.write(fits(name) ? name : "long-name", 0, LONGEST_NAME, "latin1");
  const octal = (value: number, at: number, width: number): void => {
    block.write(value.toString(8).padStart(width - 1, "0"), at, width - 1, "latin1");
  };
  octal(mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(Math.min(size, MOST_SIZE), 124, 12);
  octal(Math.max(0, Math.floor(modified / 1000)), 136, 12);
  block.write(type, 156, 1, "latin1");
  block.write(fits(target) ? target : "long-link", 157, LONGEST_NAME, "latin1");
  block.write("ustar\u000000", 257, 8, "latin1");
  block.write(`${sumOf(block).toString(8).padStart(6, "0")}\u0000 `, 148, 8, "latin1");
  return block;
}

/** Of all bytes of a head, those of the sum itself counted as spaces. */
export function sumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}

/** For an archive that was not written by this program, or is damaged. */
export function damagedArchive(what: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `This is no backup that can be restored: ${what}. Nothing was changed.`,
  );
}
