import path from "node:path";
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

import { openRebuildable, transaction } from "../storage/sqlite.ts";
import type { FileFacts } from "../vault/files/measure.ts";
import type { VaultPath } from "../vault/paths.ts";

/** What the job knows of a file it has processed. */
export interface ProcessedFile {
  readonly facts: FileFacts;
  /** Of the person's part of a markdown file; null for other files, and for one that could not be read. */
  readonly hash: string | null;
  /** It was read so soon after its last change that another change could have the same time: it must be read again. */
  readonly isFresh: boolean;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, signature TEXT NOT NULL, kind TEXT NOT NULL, tokens INTEGER NOT NULL, bytes INTEGER NOT NULL,
    changed TEXT NOT NULL, width INTEGER, height INTEGER, hash TEXT, fresh INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Which version of every file was processed, kept in the state folder: a restart reads only the files that changed since. */
export class ProcessedFiles {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #byPath = new Map<VaultPath, ProcessedFile>();
  readonly #unsaved = new Set<VaultPath>();

  constructor(state: string) {
    // A lost list costs one read of every file; files that are right are not written.
    const { database } = openRebuildable({
      file: path.join(state, "job.sqlite"),
      name: "The list of processed files",
      consequence: "so no change can be followed",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
      migrations: [SCHEMA],
      check: "SELECT count(*) FROM files",
    });
    this.#database = database;
    this.#put = this.#database.prepare(
      `INSERT OR REPLACE INTO files VALUES
        (:path, :signature, :kind, :tokens, :bytes, :changed, :width, :height, :hash, :fresh)`,
    );
    this.#delete = this.#database.prepare("DELETE FROM files WHERE path = ?");
    for (const row of this.#database.prepare("SELECT * FROM files").iterate()) {
      this.#byPath.set(String(row["path"]), processedFrom(row));
    }
  }

  get(file: VaultPath): ProcessedFile | undefined {
    return this.#byPath.get(file);
  }

  /** Clears the signature, so that the file is processed again; its hash stays. */
  invalidate(file: VaultPath): void {
    const known = this.#byPath.get(file);
    if (known !== undefined) this.set(file, { ...known, facts: { ...known.facts, signature: "" } });
  }

  get size(): number {
    return this.#byPath.size;
  }

  paths(): IterableIterator<VaultPath> {
    return this.#byPath.keys();
  }

  /** The file at a path, or all files under it. */
  under(place: VaultPath): VaultPath[] {
    if (this.#byPath.has(place)) return [place];
    const start = place === "" ? "" : `${place}/`;
    return [...this.#byPath.keys()].filter((file) => file.startsWith(start));
  }

  set(file: VaultPath, processed: ProcessedFile): void {
    this.#byPath.set(file, processed);
    this.#unsaved.add(file);
  }

  remove(file: VaultPath): void {
    if (this.#byPath.delete(file)) this.#unsaved.add(file);
  }

  /** Writes what changed, in one transaction. */
  save(): void {
    if (this.#unsaved.size === 0) return;
    transaction(this.#database, () => {
      for (const file of this.#unsaved) {
        const known = this.#byPath.get(file);
        if (known === undefined) this.#delete.run(file);
        else this.#put.run(rowOf(file, known));
      }
    });
    this.#unsaved.clear();
  }

  close(): void {
    this.#database.close();
  }
}

function rowOf(file: VaultPath, known: ProcessedFile): Record<string, SQLInputValue> {
  const { facts, hash, isFresh } = known;
  return { width: null, height: null, ...facts, path: file, hash, fresh: isFresh ? 1 : 0 };
}

function processedFrom(row: Readonly<Record<string, SQLOutputValue>>): ProcessedFile {
  const { kind, width, height, hash } = row;
  return {
    facts: {
      kind: kind === "text" || kind === "image" ? kind : "other",
      tokens: Number(row["tokens"]),
      bytes: Number(row["bytes"]),
      changed: String(row["changed"]),
      signature: String(row["signature"]),
      ...(typeof width === "number" && typeof height === "number" ? { width, height } : {}),
    },
    hash: typeof hash === "string" ? hash : null,
    isFresh: row["fresh"] === 1,
  };
}
