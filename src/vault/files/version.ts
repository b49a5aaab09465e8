import type { BigIntStats, Stats } from "node:fs";
import { crc32 } from "node:zlib";

import { bomLength } from "../../text/utf8.ts";
import { findBlock } from "./frontmatter.ts";
import { blockLines } from "./job-lines.ts";

/**
 * Which version of a file someone has seen.
 *
 * `hash` covers the person's text: everything but the keys the background job owns, so that its work is not taken for a
 * change. It is null for files too large to hash on every read; those are compared by `signature` alone.
 */
export interface FileVersion {
  readonly signature: string;
  readonly hash: string | null;
  /** The signature it had before the background job wrote its keys, when it did: the person's text is the same. */
  readonly origin?: string;
}

const SECOND = 1_000_000_000n;

/** Files up to this size are handled whole, in memory; larger ones by their parts. */
export const SMALL_FILE = 1024 * 1024;

/** Times in microseconds: the background job dates its own writes back by one, and stats without `bigint`, twice as fast, tell no less. */
export function signatureOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${Number(ino)}:${size}:${microseconds(mtimeNs)}`;
}

/** The same of a stat without `bigint`. */
export function signatureOfStat({ ino, size, mtimeMs }: Stats): string {
  return `${ino}:${size}:${Math.round(mtimeMs * 1000)}`;
}

/** The version of a file with these bytes. */
export function versionOf(stat: BigIntStats, bytes: Buffer): FileVersion {
  return { signature: signatureOf(stat), hash: versionHash(bytes) };
}

/**
 * When content, name, mode or links of a file last changed, in microseconds: no program can set it. It is not in the signature, because a
 * rename moves it too, and so does the backup that makes a link to every file.
 */
export function touchedOf({ ctimeNs }: BigIntStats): number {
  return microseconds(ctimeNs);
}

/** The same of a stat without `bigint`. */
export function touchedOfStat({ ctimeMs }: Stats): number {
  return Math.round(ctimeMs * 1000);
}

/** When the content of a file last changed, in milliseconds since 1970, as exactly as a number holds it. */
export function modifiedOf({ mtimeNs }: BigIntStats): number {
  return Number(mtimeNs) / 1e6;
}

/** Rounded as the milliseconds of a stat without `bigint` are. */
function microseconds(nanoseconds: bigint): number {
  const milliseconds = Number(nanoseconds / SECOND) * 1000 + Number(nanoseconds % SECOND) / 1e6;
  return Math.round(milliseconds * 1000);
}

export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  if (a.hash !== null && b.hash !== null) return a.hash === b.hash;
  return (a.origin ?? a.signature) === (b.origin ?? b.signature);
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;

/**
 * Tells versions of a file apart by the person's part of it: the keys that are not the job's, and the text. The byte-order mark
 * and the empty lines before the text do not count, so that a file keeps its hash when it is given its first frontmatter.
 *
 * Length and CRC-32: every `read` pays for it, and SHA-256 would make up a third of its time. It guards against accidents, not
 * against forgery; two different texts of one length share it once in four thousand million.
 */
export function versionHash(bytes: Buffer): string {
  let at = bomLength(bytes);
  const head = headText(bytes, at);
  const block = findBlock(head);
  let kept = "";
  if (block !== null) {
    kept = withoutJobKeys(head.slice(block.open, block.close));
    at += block.end;
  }
  while (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)) at += 1;
  const body = bytes.subarray(at);
  // The separator keeps a key apart from a text that begins like one.
  const sum = crc32(body, kept === "" ? 0 : crc32(Buffer.from(`${kept}\0`, "latin1")));
  return `${(kept.length + body.length).toString(16)}-${sum.toString(16).padStart(8, "0")}`;
}

/** The lines of a block that are the person's: all but the top-level keys of the job that are in its form. */
function withoutJobKeys(yaml: string): string {
  return blockLines(yaml)
    .filter(({ ours }) => ours === null)
    .map(({ text }) => text)
    .join("\n");
}

/** Bytes up to the end of the frontmatter: where the person's text begins. */
export function headLength(bytes: Buffer): number {
  const bom = bomLength(bytes);
  const block = findBlock(headText(bytes, bom));
  return bom + (block?.end ?? 0);
}

/** Where frontmatter can be, as latin1: an offset in it is a byte offset. Empty when there is none, as in most bytes. */
function headText(bytes: Buffer, at: number): string {
  return bytes[at] === DASH ? bytes.toString("latin1", at, at + SMALL_FILE) : "";
}

const REMEMBERED = 10_000;

/** Which versions of files the background job derived from which others: a caller that read one need not read the other. */
export class Stamps {
  readonly #origins = new Map<string, string>();

  /** The job turned the version `before` into `after`. */
  add(before: string, after: string): void {
    this.#origins.set(after, this.#origins.get(before) ?? before);
    const oldest = this.#origins.keys().next();
    if (this.#origins.size > REMEMBERED && !oldest.done) this.#origins.delete(oldest.value);
  }

  versionOf(signature: string, hash: string | null): FileVersion {
    const origin = this.#origins.get(signature);
    return origin === undefined ? { signature, hash } : { signature, hash, origin };
  }
}
