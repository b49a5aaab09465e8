import path from "node:path";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";

import { openRebuildable, transaction } from "../storage/sqlite.ts";
import type { FileFacts } from "../vault/tree/measure.ts";
import type { VaultPath } from "../vault/paths.ts";

/** What the job knows of a file it has dealt with. */
export interface FileRecord {
  readonly facts: FileFacts;
  /** Of the person's part of a markdown file; null for other files, and for one that could not be read. */
  readonly hash: string | null;
  /** It was looked at so soon after its last change that another could hide behind the same time: look again. */
  readonly isFresh: boolean;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, signature TEXT NOT NULL, kind TEXT NOT NULL, tokens INTEGER NOT NULL, bytes INTEGER NOT NULL,
    changed TEXT NOT NULL, width INTEGER, height INTEGER, hash TEXT, fresh INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** The job's memory, in the state folder: a restart finds everything as it was left, and an unchanged vault untouched. */
export class Records {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #byPath = new Map<VaultPath, FileRecord>();
  readonly #unsaved = new Set<VaultPath>();

  constructor(state: string) {
    // Without them every file is read once, and those that are right are not written.
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
      "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#delete = this.#database.prepare("DELETE FROM files WHERE path = ?");
    for (const row of this.#database.prepare("SELECT * FROM files").iterate()) {
      this.#byPath.set(String(row["path"]), recordOf(row));
    }
  }

  get(file: VaultPath): FileRecord | undefined {
    return this.#byPath.get(file);
  }

  /** As if no version of the file had been dealt with yet; what is known of it stays. */
  distrust(file: VaultPath): void {
    const record = this.#byPath.get(file);
    if (record !== undefined)
      this.set(file, { ...record, facts: { ...record.facts, signature: "" } });
  }

  get size(): number {
    return this.#byPath.size;
  }

  paths(): IterableIterator<VaultPath> {
    return this.#byPath.keys();
  }

  /** The files known at a path: itself, or all under it. */
  at(place: VaultPath): VaultPath[] {
    if (this.#byPath.has(place)) return [place];
    const start = place === "" ? "" : `${place}/`;
    return [...this.#byPath.keys()].filter((file) => file.startsWith(start));
  }

  set(file: VaultPath, record: FileRecord): void {
    this.#byPath.set(file, record);
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
        const record = this.#byPath.get(file);
        if (record === undefined) this.#delete.run(file);
        else this.#save(file, record);
      }
    });
    this.#unsaved.clear();
  }

  #save(file: VaultPath, { facts, hash, isFresh }: FileRecord): void {
    const { signature, kind, tokens, bytes, changed, width, height } = facts;
    this.#put.run(
      file,
      signature,
      kind,
      tokens,
      bytes,
      changed,
      width ?? null,
      height ?? null,
      hash,
      isFresh ? 1 : 0,
    );
  }

  close(): void {
    this.#database.close();
  }
}

function recordOf(row: Readonly<Record<string, SQLOutputValue>>): FileRecord {
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
