import { ExpectedError } from "../errors.ts";
import { mergeFrontmatter } from "../vault/files/frontmatter.ts";
import type { WholeText } from "../vault/files/text-file.ts";
import type { FileVersion } from "../vault/files/version.ts";
import type { ChangeAuthor } from "../vault/history/history-types.ts";
import { extensionOf, isImage, parsePath, showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultReader, VaultWriter } from "../vault/vault.ts";
import { retryWhenChanged } from "../vault/write/atomic-write.ts";
import { textOutput, type ToolOutput, type WriteContext } from "./define.ts";

/** What programs get of a change to one file, with its `path` and its `history` id: null when nothing had to be changed. */
export interface ChangeFacts {
  /** Null when the file is too large to be counted for this, or was not there. */
  readonly lines_before: number | null;
  readonly lines_after: number | null;
  readonly hash: string | null;
}

/** The answer of a tool that changed one file: `did` in words, its history id, then what it shows. */
export function changeOutput(
  did: string,
  facts: ChangeFacts & { readonly path: string; readonly history: string | null },
  shown = "",
): ToolOutput {
  return textOutput(`${did} ${historyNote(facts.history)}${shown}`, facts);
}

/** The caller as the author of a change, with what it may change. */
export function author({ session, batch, guard }: WriteContext, call: string): ChangeAuthor {
  return { actor: session.actor, call, batch, ...(guard === undefined ? {} : { guard }) };
}

/** Runs `work` as one change of the caller; again when another program changed the file meanwhile. */
export async function changeVault<T>(
  context: WriteContext,
  call: string,
  work: (change: VaultWriter) => Promise<T>,
): Promise<{ value: T; id: string | null }> {
  return retryWhenChanged(async () => context.vault.change(author(context, call), work));
}

/** The path of a file that a tool may write. */
export async function writablePath(given: string, vault: VaultReader): Promise<VaultPath> {
  const { path, mustBeFolder } = parsePath(given);
  if (mustBeFolder) {
    throw new ExpectedError(
      "not_a_file",
      `${showPath(path, "folder")} is a folder path; give the file's name, such as ${showPath(path, "folder")}note.md.`,
    );
  }
  if (await vault.isGenerated(path)) {
    throw new ExpectedError(
      "protected",
      "vault/tree.md is generated after every change; no tool writes it.",
    );
  }
  return path;
}

/** Refuses to write to a folder. */
export function refuseFolder(path: VaultPath, { kind }: { readonly kind: string }): void {
  if (kind !== "folder") return;
  throw new ExpectedError(
    "not_a_file",
    `${showPath(path, "folder")} is a folder; give a file's name in it.`,
  );
}

/** The caller's text with the frontmatter of the file it replaces. */
export function withFrontmatter(content: string, existing: string | null, shown: string): string {
  const merged = mergeFrontmatter(content, existing);
  if (typeof merged === "string") return merged;
  throw new ExpectedError(
    "invalid_argument",
    `The frontmatter of content for ${shown} cannot be used: ${merged.problem}.`,
  );
}

/** Refuses text that could not be read back as it was given. */
export function refuseNonText(text: string, argument: string): void {
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new ExpectedError(
      "not_text",
      `${argument} holds a NUL or half a character; only text can be written.`,
    );
  }
}

/** Extensions of files that are never text, besides images. */
const BINARY = new Set(
  `7z aac avi avif bin bmp bz2 db dll dmg doc docx epub exe flac gz heic ico iso jar m4a mkv mov mp3 mp4 mpeg msg odp ods odt ogg
   ogv opus otf pdf ppt pptx psd rar so sqlite sqlite3 tar tgz tif tiff ttf wasm wav webm wma woff woff2 xls xlsx xz zip zst`
    .split(/\s+/u)
    .map((name) => `.${name}`),
);

/** Refuses a name that says the file is not text. */
export function refuseBinaryName(path: VaultPath): void {
  const extension = extensionOf(path);
  if (BINARY.has(extension) || isImage(path)) {
    throw new ExpectedError(
      "invalid_argument",
      `${showPath(path)}: ${extension} files are not text. Use a .md file; bring other files in with coffre ingest.`,
    );
  }
}

/** The version the last change left, or null when nothing was changed. */
export function lastVersion({ writer }: VaultWriter): FileVersion | null {
  const done = writer.done.at(-1);
  return done !== undefined && "version" in done ? done.version : null;
}

/**
 * Refuses when the caller has not read the present version.
 * @param unread what is wrong with a file that was never read: `was not read in this session`
 */
export async function requireRead(
  { path, version }: Pick<WholeText, "path" | "version">,
  shown: string,
  { session }: WriteContext,
  unread: string,
): Promise<void> {
  const state = await session.ledger.state(path, version);
  if (state === "never") {
    throw new ExpectedError("conflict", `${shown} ${unread}; read it first: read("${shown}").`);
  }
  if (state === "changed") {
    throw new ExpectedError(
      "conflict",
      `${shown} was changed since you read it; read it again: read("${shown}").`,
    );
  }
}

export function historyNote(id: string | null): string {
  return id === null ? "Nothing had to be changed." : `History: ${id}.`;
}
