import { ExpectedError } from "../errors.ts";
import { extensionOf, isGenerated, showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultWriter } from "../vault/vault.ts";
import type { FileVersion } from "../vault/files/version.ts";
import { isBinaryExtension } from "./binary-extensions.ts";
import type { WriteContext } from "./define.ts";
import type { ChangeAuthor } from "../vault/history/history-types.ts";

/** What programs get of a change to one file. */
export interface ChangeReply {
  readonly path: string;
  /** Null when the file is too large to be counted for this, or was not there. */
  readonly lines_before: number | null;
  readonly lines_after: number | null;
  /** Null when nothing had to be changed. */
  readonly history: string | null;
  readonly hash: string | null;
}

/** Whoever changes the vault for a caller says so by this: it carries what the caller may change. */
export function author({ session, batch, guard }: WriteContext, call: string): ChangeAuthor {
  return { actor: session.actor, call, batch, ...(guard === undefined ? {} : { guard }) };
}

export function refuseGenerated(path: VaultPath): void {
  if (isGenerated(path)) {
    throw new ExpectedError(
      "protected",
      "vault/tree.md is generated after every change; nobody else writes it.",
    );
  }
}

export function refuseFolder(path: VaultPath, mustBeFolder: boolean): void {
  if (mustBeFolder) {
    throw new ExpectedError(
      "not_a_file",
      `${showPath(path, "folder")} is a folder path; give the file's name, such as ${showPath(path, "folder")}note.md.`,
    );
  }
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

/** Refuses a name that says the file is not text. */
export function refuseBinaryName(path: VaultPath): void {
  const extension = extensionOf(path);
  if (isBinaryExtension(extension)) {
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

/** Refuses when the caller has not read the present version. */
export function requireRead(
  path: VaultPath,
  shown: string,
  now: FileVersion,
  { session }: WriteContext,
  exists: string,
): void {
  const state = session.ledger.state(path, now);
  if (state === "never") {
    throw new ExpectedError("conflict", `${shown} ${exists}; read it first: read("${shown}").`);
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

export function linesText(count: number): string {
  return count === 1 ? "1 line" : `${count} lines`;
}
