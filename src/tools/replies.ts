import { ExpectedError } from "../vault/errors.ts";
import { isGenerated, showPath, type VaultPath } from "../vault/paths.ts";
import type { FileVersion } from "../vault/version.ts";
import type { WriteContext } from "./define.ts";
import type { ChangeAuthor } from "../vault/history-types.ts";

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

export function author({ session, batch }: WriteContext, call: string): ChangeAuthor {
  return { actor: session.actor, call, batch };
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
