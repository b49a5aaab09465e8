import { closeSync, fstatSync, lstatSync, type BigIntStats } from "node:fs";

import { errnoOf } from "../../errors.ts";
import { readBytes } from "./bytes.ts";
import { BLOCK_WINDOW, updatedOf } from "./frontmatter.ts";
import { isListing } from "./generated-tree.ts";
import { isMarkedPrivate } from "./private-mark.ts";
import { IMAGE_HEAD, sniffImage } from "./image.ts";
import { localTime } from "../../text/local-time.ts";
import { isImage, isMarkdown, type VaultPath } from "../paths.ts";
import { LARGEST_TEXT } from "./text-file.ts";
import { tokensForLength } from "../../text/tokens.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { signatureOf, SMALL_FILE } from "./version.ts";

/** What a listing says of a file. */
export interface FileFacts {
  readonly kind: "text" | "image" | "other";
  /** 0 for anything but text. */
  readonly tokens: number;
  readonly bytes: number;
  /** Local time of the last change: the frontmatter's `updated`, else the file's own time. */
  readonly changed: string;
  /** Pixels, for an image. */
  readonly width?: number;
  readonly height?: number;
  /** It is our own `tree.md`. */
  readonly isGenerated?: true;
  /** Whether a note says of itself that it is private; undefined when it was not read for that yet. */
  readonly isPrivate?: boolean;
  readonly signature: string;
}

/** A file that was read once: what a listing says of it, and its text. */
export interface MeasuredFile {
  readonly facts: FileFacts;
  /** With its byte-order mark; null for what is not text, and for text too large to be held whole. */
  readonly text: string | null;
  /** Why its content is not known: the facts say only what the disk tells of its name. */
  readonly unread?: unknown;
}

/** Whether the content of a file can be searched, whatever its name. */
export function isSearchable({ kind, isGenerated }: FileFacts): boolean {
  return kind === "text" && isGenerated !== true;
}

const CHUNK = 4 * 1024 * 1024;

/** What is known of a file without its content. */
export interface FileStat {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly signature: string;
}

function statOf(stat: BigIntStats): FileStat {
  return {
    size: Number(stat.size),
    modified: Number(stat.mtimeMs),
    signature: signatureOf(stat),
  };
}

/** Measures an open file, and closes it. */
export function measureOpenFile(fd: number, path: VaultPath): MeasuredFile {
  try {
    const stat = statOf(fstatSync(fd, { bigint: true }));
    return measureBytes(path, stat, (at, length) => readBytes(fd, at, length));
  } finally {
    closeSync(fd);
  }
}

/**
 * Measures a file that can be read by its parts.
 * @param read so many bytes from an offset on, or fewer at the end of the file
 */
export function measureBytes(
  path: VaultPath,
  stat: FileStat,
  read: (at: number, length: number) => Buffer,
): MeasuredFile {
  const { size } = stat;
  const other = { facts: binaryFacts(stat), text: null };
  if (isImage(path)) {
    const image = sniffImage(read(0, Math.min(size, IMAGE_HEAD)));
    if (image === null) return other;
    const { width, height } = image;
    return { facts: { ...other.facts, kind: "image", width, height }, text: null };
  }
  if (size <= SMALL_FILE) {
    const content = read(0, size);
    if (!isTextBytes(content)) return other;
    return wholeText(stat, content.toString("utf8"), path);
  }
  const length = size > LARGEST_TEXT ? null : textLength(read, size);
  if (length === null) return other;
  const head = read(0, BLOCK_WINDOW).toString("utf8");
  return { facts: textFacts(stat, length, head, path), text: null };
}

/** What may be said of a file that was not read yet: its tokens are estimated from its size. */
export function estimateFacts(path: VaultPath, size: number, modified: number): FileFacts {
  const kind = isMarkdown(path) ? "text" : "other";
  const tokens = kind === "text" ? tokensForLength(size) : 0;
  return { kind, tokens, bytes: size, changed: localTime(new Date(modified)), signature: "" };
}

/** Measures a text file whose whole text is known already: nothing is read. */
export function measureText(
  stat: BigIntStats,
  text: string,
  path: VaultPath,
): MeasuredFile & { readonly text: string } {
  return wholeText(statOf(stat), text, path);
}

function wholeText(
  stat: FileStat,
  text: string,
  path: VaultPath,
): MeasuredFile & { readonly text: string } {
  const facts = textFacts(stat, text.length, text, path);
  return { facts: isListing(path, text) ? { ...facts, isGenerated: true } : facts, text };
}

/** What can be said of a file that may not be opened; null when it is gone, or not even its size may be known. */
export function measureUnreadable(real: string): FileFacts | null {
  try {
    return binaryFacts(statOf(lstatSync(real, { bigint: true })));
  } catch {
    return null;
  }
}

function binaryFacts({ size, modified, signature }: FileStat): FileFacts {
  const changed = localTime(new Date(modified));
  return { kind: "other", tokens: 0, bytes: size, changed, signature };
}

/** @param head the beginning of the text, with all of its frontmatter */
function textFacts(stat: FileStat, length: number, head: string, path: VaultPath): FileFacts {
  const facts = binaryFacts(stat);
  const changed = updatedOf(head) ?? facts.changed;
  const mark = isMarkdown(path) ? { isPrivate: isMarkedPrivate(head) } : {};
  return { ...facts, kind: "text", tokens: tokensForLength(length), changed, ...mark };
}

/** JavaScript length of a large text, read in parts; null when it is not text. */
function textLength(read: (at: number, length: number) => Buffer, size: number): number | null {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let length = 0;
  try {
    for (let at = 0; at < size; at += CHUNK) {
      const bytes = read(at, CHUNK);
      if (bytes.includes(0)) return null;
      length += decoder.decode(bytes, { stream: true }).length;
    }
    return length + decoder.decode().length;
  } catch (error) {
    // A failing disk says nothing of the content.
    if (errnoOf(error) !== null) throw error;
    return null;
  }
}
