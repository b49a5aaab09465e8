import { closeSync, fstatSync, lstatSync, type BigIntStats } from "node:fs";

import { openToRead, readBytes } from "../files/bytes.ts";
import { BLOCK_WINDOW } from "../files/frontmatter-block.ts";
import { updatedOf } from "../files/frontmatter.ts";
import { IMAGE_HEAD, isImageExtension, sniffImage } from "../files/image.ts";
import { localTime } from "../../text/local-time.ts";
import { extensionOf, type VaultPath } from "../paths.ts";
import { LARGEST_TEXT } from "../files/text-file.ts";
import { tokensForLength } from "../../text/tokens.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { signatureOf, SMALL_FILE } from "../files/version.ts";

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

const CHUNK = 4 * 1024 * 1024;

/** Looks at one file in an open folder. Throws the system's error when it cannot be opened. */
export function measureFile(place: string, path: VaultPath): FileFacts {
  return measureOpenFile(openToRead(place), path);
}

/** Looks at an open file, and closes it. */
export function measureOpenFile(fd: number, path: VaultPath): FileFacts {
  try {
    const stat = fstatSync(fd, { bigint: true });
    const bytes = Number(stat.size);
    const base = { bytes, signature: signatureOf(stat), tokens: 0 };
    const modified = localTime(new Date(Number(stat.mtimeMs)));
    if (isImageExtension(extensionOf(path))) {
      const image = sniffImage(readBytes(fd, 0, Math.min(bytes, IMAGE_HEAD)));
      const size = image === null ? {} : { width: image.width, height: image.height };
      return { ...base, ...size, kind: image === null ? "other" : "image", changed: modified };
    }
    if (bytes > LARGEST_TEXT) return { ...base, kind: "other", changed: modified };
    if (bytes <= SMALL_FILE) {
      const content = readBytes(fd, 0, bytes);
      if (!isTextBytes(content)) return { ...base, kind: "other", changed: modified };
      const text = content.toString("utf8");
      return {
        ...base,
        kind: "text",
        tokens: tokensForLength(text.length),
        changed: updatedOf(text) ?? modified,
      };
    }
    const length = textLength(fd, bytes);
    if (length === null) return { ...base, kind: "other", changed: modified };
    const head = readBytes(fd, 0, BLOCK_WINDOW).toString("utf8");
    return {
      ...base,
      kind: "text",
      tokens: tokensForLength(length),
      changed: updatedOf(head) ?? modified,
    };
  } finally {
    closeSync(fd);
  }
}

/** What can be said of a file that may not be opened; null when it is gone, or not even its size may be known. */
export function measureUnreadable(real: string): FileFacts | null {
  let stat: BigIntStats;
  try {
    stat = lstatSync(real, { bigint: true });
  } catch {
    return null;
  }
  const changed = localTime(new Date(Number(stat.mtimeMs)));
  return {
    kind: "other",
    tokens: 0,
    bytes: Number(stat.size),
    changed,
    signature: signatureOf(stat),
  };
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
