import { createHash } from "node:crypto";

import { JOB_KEYS } from "../vault/files/frontmatter-block.ts";
import { splitLines } from "../vault/files/lines.ts";
import { chunkLines, type Chunk } from "./chunk.ts";
import type { IndexedFile } from "./search-index.ts";

const JOB_LINE = new RegExp(`^(?:${JOB_KEYS.join("|")}):.*(?:\\n|$)`, "gmu");
const FRONTMATTER = /^---\n([\s\S]*?\n)?---(?:\n+|$)/u;

/** A chunk with its text. */
export interface ChunkText extends Chunk {
  readonly text: string;
  /** The text without the keys of the background job, which would make every file match a date or a number. */
  readonly body: string;
  /** Of headings and text. */
  readonly hash: string;
  /** Of headings and body: stays the same when only the keys of the background job change. */
  readonly meaning: string;
}

export function chunksOf(file: IndexedFile): ChunkText[] {
  const lines = splitLines(file.text);
  return chunkLines(file.path, lines).map((chunk) => {
    const text = lines.slice(chunk.lines.start - 1, chunk.lines.end).join("\n");
    const body = chunk.lines.start === 1 ? withoutJobLines(text) : text;
    const hash = hashOf(chunk.headings, text);
    const meaning = body === text ? hash : hashOf(chunk.headings, body);
    return { ...chunk, text, body, hash, meaning };
  });
}

/** The start of a file without the keys of the background job, and without a frontmatter that has no others. */
export function withoutJobLines(text: string): string {
  return text.replace(FRONTMATTER, (block, keys: string | undefined) => {
    const own = (keys ?? "").replaceAll(JOB_LINE, "");
    return own.trim() === "" ? "" : block.replaceAll(JOB_LINE, "");
  });
}

function hashOf(headings: readonly string[], text: string): string {
  return createHash("sha1")
    .update(`${headings.join("\n")}\0${text}`)
    .digest("base64");
}
