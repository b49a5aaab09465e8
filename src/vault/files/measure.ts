import { closeSync, fstatSync, lstatSync, type BigIntStats } from "node:fs";

import { openToRead, readBytes } from "./bytes.ts";
import { BLOCK_WINDOW } from "./frontmatter-block.ts";
import { updatedOf } from "./frontmatter.ts";
import { IMAGE_HEAD, isImageExtension, sniffImage } from "./image.ts";
import { localTime } from "../../text/local-time.ts";
import { extensionOf, type VaultPath } from "../paths.ts";
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
  readonly signature: string;
}

/** A file that was read once: what a listing says of it, and its text. */
export interface MeasuredFile {
  readonly facts: FileFacts;
  /** With its byte-order mark; null for what is not text, and for text too large to be held whole. */
  readonly text: string | null;
}

const CHUNK = 4 * 1024 * 1024;

/** Measures one file in an open folder. Throws the system's error when it cannot be opened. */
export function measureFile(place: string, path: VaultPath): MeasuredFile {
  return measureOpenFile(openToRead(place), path);
}

/** Measures an open file, and closes it. */
export function measureOpenFile(fd: number, path: VaultPath): MeasuredFile {
  try {
    const stat = fstatSync(fd, { bigint: true });
    const size = Number(stat.size);
    if (isImageExtension(extensionOf(path))) {
      const image = sniffImage(readBytes(fd, 0, Math.min(size, IMAGE_HEAD)));
      if (image === null) return { facts: binaryFacts(stat), text: null };
      const { width, height } = image;
      return { facts: { ...binaryFacts(stat), kind: "image", width, height }, text: null };
    }
    if (size <= SMALL_FILE) {
      const content = readBytes(fd, 0, size);
      if (isTextBytes(content)) return measureText(stat, content.toString("utf8"));
      return { facts: binaryFacts(stat), text: null };
    }
    const length = size > LARGEST_TEXT ? null : textLength(fd, size);
    if (length === null) return { facts: binaryFacts(stat), text: null };
    const head = readBytes(fd, 0, BLOCK_WINDOW).toString("utf8");
    return { facts: textFacts(stat, length, head), text: null };
  } finally {
    closeSync(fd);
  }
}

/** Measures a text file whose whole text is known already: nothing is read. */
export function measureText(stat: BigIntStats, text: string): MeasuredFile {
  return { facts: textFacts(stat, text.length, text), text };
}

/** What can be said of a file that may not be opened; null when it is gone, or not even its size may be known. */
export function measureUnreadable(real: string): FileFacts | null {
  try {
    return binaryFacts(lstatSync(real, { bigint: true }));
  } catch {
    return null;
  }
}

function binaryFacts(stat: BigIntStats): FileFacts {
  return {
    kind: "other",
    tokens: 0,
    bytes: Number(stat.size),
    changed: localTime(new Date(Number(stat.mtimeMs))),
    signature: signatureOf(stat),
  };
}

/** @param head the beginning of the text, with all of its frontmatter */
function textFacts(stat: BigIntStats, length: number, head: string): FileFacts {
  const facts = binaryFacts(stat);
  const changed = updatedOf(head) ?? facts.changed;
  return { ...facts, kind: "text", tokens: tokensForLength(length), changed };
}

/** JavaScript length of a large text, read in parts; null when it is not text. */
function textLength(fd: number, size: number): number | null {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let length = 0;
  try {
    for (let at = 0; at < size; at += CHUNK) {
      const bytes = readBytes(fd, at, CHUNK);
      if (bytes.includes(0)) return null;
      length += decoder.decode(bytes, { stream: true }).length;
    }
    return length + decoder.decode().length;
  } catch {
    return null;
  }
}
