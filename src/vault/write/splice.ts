import { commonPrefix, commonSuffix } from "../files/bytes.ts";
import { BLOCK_WINDOW } from "../files/frontmatter.ts";
import { headLength, SMALL_FILE, type FileVersion } from "../files/version.ts";
import type { KeepBytes } from "../history/history.ts";
import type { KeptSplice } from "../history/history-types.ts";
import type { VaultPath } from "../paths.ts";

/** Bytes kept on each side of a change to a large file, to find its place again. */
const AROUND = 64;

/** The part of a file's bytes to replace, in bytes from its start. */
export interface Splice {
  readonly at: number;
  readonly removed: Buffer;
  readonly inserted: Buffer;
}

/** A file that a change was worked out from: its path, links followed, and its version then. */
export interface SeenFile {
  readonly path: VaultPath;
  readonly version: FileVersion;
}

/** What differs between two versions of a large file; null when the whole of it is kept: it is small, or its frontmatter differs. */
export function spliceBetween(before: Buffer, after: Buffer): Splice | null {
  const at = commonPrefix(before, after);
  if (before.length <= SMALL_FILE || at < headLength(before)) return null;
  const end = commonSuffix(before, after, at);
  return {
    at,
    removed: before.subarray(at, before.length - end),
    inserted: after.subarray(at, after.length - end),
  };
}

/**
 * What the history keeps of a splice.
 * @param fileBytes of the file after it
 * @param read so many bytes of the file before it, from an offset on, or fewer at its end
 */
export function keptSplice(
  { at, removed, inserted }: Splice,
  fileBytes: number,
  read: (at: number, length: number) => Buffer,
  keep: KeepBytes,
): KeptSplice {
  const after = at + removed.length;
  const head = [
    read(0, Math.min(at, BLOCK_WINDOW)),
    inserted.subarray(0, BLOCK_WINDOW),
    read(after, BLOCK_WINDOW),
  ];
  const bodyStart = headLength(read(0, BLOCK_WINDOW));
  // Not into the frontmatter, which the background job may rewrite.
  const around = Math.max(0, Math.min(at - bodyStart, AROUND));
  return {
    at,
    removed: keep([removed]),
    inserted: keep([inserted]),
    insertedBytes: inserted.length,
    before: read(at - around, around).toString("base64"),
    after: read(after, AROUND).toString("base64"),
    headBytes: headLength(Buffer.concat(head)),
    fileBytes,
  };
}
