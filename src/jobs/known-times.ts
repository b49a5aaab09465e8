import path from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import { connect } from "../storage/sqlite.ts";
import type { Left } from "../vault/files/frontmatter.ts";
import type { KnownTime } from "../vault/known-time.ts";
import type { VaultPath } from "../vault/paths.ts";
import { leftFrom } from "./processed-files.ts";

/**
 * The times that the background job kept of notes, and what it left as it is, for a process that only looks: nothing is written, and nothing read
 * before it is asked for.
 */
export class KnownTimes {
  readonly #file: string;
  #database: DatabaseSync | null = null;
  /** Undefined until it is needed. */
  #find: StatementSync | null | undefined;

  constructor(state: string) {
    this.#file = path.join(state, "job.sqlite");
  }

  readonly of: KnownTime = (file, signature, hash) => {
    if (this.#find === undefined) this.#find = this.#open();
    try {
      const row = this.#find?.get(file);
      if (row === undefined || row["hash"] === null) return null;
      const isSameFile = row["signature"] === signature;
      return isSameFile || row["hash"] === hash()
        ? { changed: String(row["changed"]), isSameFile }
        : null;
    } catch {
      // Without it, the disk's own times are shown.
      this.#find = null;
      return null;
    }
  };

  /** Files whose frontmatter, or a key of it, was left as it is when a service last looked, and why. */
  left(): (readonly [VaultPath, Left])[] {
    if (this.#find === undefined) this.#find = this.#open();
    try {
      const rows = this.#database
        ?.prepare("SELECT path, reason, problem FROM files WHERE reason IS NOT NULL ORDER BY path")
        .all();
      return (rows ?? []).flatMap(({ path: file, reason, problem }) => {
        const left = leftFrom(reason, problem);
        return left === null ? [] : [[String(file), left] as const];
      });
    } catch {
      // Of a release that did not keep it.
      return [];
    }
  }

  /** Null when there is none, or it cannot be read. */
  #open(): StatementSync | null {
    try {
      this.#database = connect(this.#file, { readOnly: true });
      return this.#database.prepare("SELECT signature, hash, changed FROM files WHERE path = ?");
    } catch {
      return null;
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }
}
