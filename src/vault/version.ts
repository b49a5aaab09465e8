import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";

import { findBlock, LONGEST_BLOCK } from "./frontmatter-block.ts";

/**
 * Which version of a file someone has seen.
 *
 * `hash` covers the person's text: everything but the keys the background job owns, so that its work is not taken for a
 * change. It is null for files too large to hash at every look; those are compared by `signature` alone.
 */
export interface FileVersion {
  readonly signature: string;
  readonly hash: string | null;
}

/** Files up to this size are handled whole, in memory; larger ones by their parts. */
export const SMALL_FILE = 1024 * 1024;

export function signatureOf(stat: BigIntStats): string {
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
}

export function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.hash !== null && b.hash !== null ? a.hash === b.hash : a.signature === b.signature;
}

const JOB_KEY = /^(["']?)(?:created|updated|tokens)\1[ \t]*:/u;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

export function bomLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/**
 * Hash of the person's part of a file: the keys that are not the job's, and the text. The byte-order mark and the empty
 * lines before the text do not count, so that a file keeps its hash when it is given its first frontmatter.
 */
export function versionHash(bytes: Buffer): string {
  let at = bomLength(bytes);
  const head = bytes.toString("latin1", at, at + LONGEST_BLOCK + 8);
  const block = findBlock(head);
  const hash = createHash("sha256");
  if (block !== null) {
    const kept = head
      .slice(block.open, block.close)
      .split("\n")
      .filter((line) => line !== "" && !JOB_KEY.test(line));
    if (kept.length > 0) hash.update(kept.join("\n"), "latin1").update("\0");
    at += block.end;
  }
  while (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)) at += 1;
  return hash.update(bytes.subarray(at)).digest("hex").slice(0, 32);
}

/** Bytes up to the end of the frontmatter: where the person's text begins. */
export function headLength(bytes: Buffer): number {
  const bom = bomLength(bytes);
  const block = findBlock(bytes.toString("latin1", bom, bom + LONGEST_BLOCK + 8));
  return bom + (block?.end ?? 0);
}
