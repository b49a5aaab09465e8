import { ExpectedError } from "../errors.ts";
import { decodeUtf8, isTextBytes } from "../text/utf8.ts";
import { frontmatterLines } from "../vault/files/headings.ts";
import { splitLines } from "../vault/files/lines.ts";
import { versionHash } from "../vault/files/version.ts";
import { isMarkdown, type VaultPath } from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";

/** Bytes: a larger file is no page that somebody keeps by hand. */
const MAX_BYTES = 8_000_000;

/** The text of a note, without its frontmatter and the empty lines after that: the background job may add or change both. */
export interface Page {
  readonly path: VaultPath;
  /** Of the person's text. */
  readonly hash: string;
  readonly lines: readonly string[];
  /** Lines of the file before the first of `lines`. */
  readonly skipped: number;
}

/** The page that these bytes are. */
export function pageOf(path: VaultPath, bytes: Buffer): Page {
  const all = splitLines(decodeUtf8(bytes));
  const skipped = skippedLines(all);
  return { path, hash: versionHash(bytes), lines: all.slice(skipped), skipped };
}

/** Lines before the text of a note. */
export function skippedLines(lines: readonly string[]): number {
  let skipped = frontmatterLines(lines);
  while (skipped < lines.length && (lines[skipped] ?? "").trim() === "") skipped += 1;
  return skipped;
}

/** Reads pages of a vault, each once. */
export function pageReader(vault: VaultReader): (path: VaultPath) => Promise<Page | null> {
  const known = new Map<VaultPath, Promise<Page | null>>();
  return async (path) => {
    const page = known.get(path) ?? readPage(vault, path);
    known.set(path, page);
    return page;
  };
}

async function readPage(vault: VaultReader, path: VaultPath): Promise<Page | null> {
  try {
    const found = await vault.find(path);
    // A link is another name of a file: the file itself is looked at.
    if (found.kind !== "file" || found.path !== path || !isMarkdown(path)) return null;
    if (found.size > MAX_BYTES || found.isReadOnly) return null;
    const { bytes } = await vault.readBytes(path, MAX_BYTES);
    return isTextBytes(bytes) ? pageOf(path, bytes) : null;
  } catch (error) {
    // Hidden, or gone meanwhile.
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
