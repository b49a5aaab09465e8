import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { ExpectedError } from "../../errors.ts";
import { openDatabase, sqliteProblem, transaction } from "../../storage/sqlite.ts";
import {
  hashOfParts,
  type EntryFacts,
  type History,
  type KeepBytes,
  type KeepLimits,
} from "./history.ts";
import type { Change, HistoryEntry, HistoryQuery } from "./history-types.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, call TEXT NOT NULL,
    batch TEXT, undoes TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS entries_at ON entries (at);
  CREATE INDEX IF NOT EXISTS entries_batch ON entries (batch);
  CREATE TABLE IF NOT EXISTS changes (
    entry TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    path TEXT NOT NULL, to_path TEXT, detail TEXT NOT NULL, PRIMARY KEY (entry, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS changes_path ON changes (path);
  CREATE TABLE IF NOT EXISTS uses (
    entry TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, blob TEXT NOT NULL,
    PRIMARY KEY (entry, blob)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS uses_blob ON uses (blob);
  CREATE TABLE IF NOT EXISTS blobs (
    hash TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (hash, part)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`;

const PART = 4 * 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

/**
 * The history as one SQLite file in the state folder. Kept bytes are stored once per hash, compressed. Its calls resolve in the turn they are
 * made: SQLite does not wait.
 */
export class SqliteHistory implements History {
  readonly #database: DatabaseSync;
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = stateFolder;
    this.#database = openDatabase({
      file: path.join(stateFolder, "history.sqlite"),
      name: "The history",
      consequence: "so nothing can be changed safely",
      // Full: an entry must be on disk before the change that it allows to undo.
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
      migrations: [SCHEMA],
      canBeReadOnly: true,
    });
  }

  close(): void {
    this.#database.close();
  }

  #transaction<T>(work: () => T): T {
    try {
      return transaction(this.#database, work);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** SQLite's errors are about the state folder, not the vault. */
  #explain(error: unknown): unknown {
    const problem = sqliteProblem(error);
    if (problem === null || !(error instanceof Error)) return error;
    const isFull = problem === "full";
    return new ExpectedError(
      isFull ? "disk_full" : "unavailable",
      `The history in ${this.#folder} cannot be written (${error.message}), so nothing was changed. ${isFull ? "Free some space" : "Repair it"}, or give another folder with --state.`,
      { cause: error },
    );
  }

  async record(entry: EntryFacts, describe: (keep: KeepBytes) => Change): Promise<Change> {
    return this.#transaction(() => {
      const change = describe((parts) => this.#keep(parts));
      this.#add(entry, change);
      return change;
    });
  }

  #keep(parts: Iterable<Buffer>): string {
    const hash = hashOfParts(parts);
    const known = this.#database.prepare("SELECT 1 FROM blobs WHERE hash = ? LIMIT 1").get(hash);
    if (known !== undefined) return hash;
    const insert = this.#database.prepare("INSERT INTO blobs (hash, part, bytes) VALUES (?, ?, ?)");
    let part = 0;
    for (const bytes of parts) {
      for (let at = 0; at === 0 || at < bytes.length; at += PART) {
        insert.run(hash, part, zstdCompressSync(bytes.subarray(at, at + PART)));
        part += 1;
      }
    }
    return hash;
  }

  #add({ id, at, author }: EntryFacts, change: Change): void {
    this.#database
      .prepare(
        "INSERT OR IGNORE INTO entries (id, at, actor, call, batch, undoes) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(id, at.getTime(), author.actor, author.call, author.batch, author.undoes ?? null);
    const to = change.kind === "move" ? change.to : null;
    this.#database
      .prepare(
        `INSERT INTO changes (entry, seq, path, to_path, detail)
           VALUES (?1, (SELECT coalesce(max(seq), -1) + 1 FROM changes WHERE entry = ?1), ?, ?, ?)`,
      )
      .run(id, change.path, to, JSON.stringify(change));
    const use = this.#database.prepare("INSERT OR IGNORE INTO uses (entry, blob) VALUES (?, ?)");
    for (const blob of blobsOf(change)) use.run(id, blob);
  }

  async *parts(hash: string): AsyncGenerator<Buffer> {
    const rows = this.#database
      .prepare("SELECT part FROM blobs WHERE hash = ? ORDER BY part")
      .all(hash);
    if (rows.length === 0) {
      throw new ExpectedError("not_found", "The old bytes of this change are no longer kept.");
    }
    const read = this.#database.prepare("SELECT bytes FROM blobs WHERE hash = ? AND part = ?");
    for (const { part } of rows) {
      const bytes = read.get(hash, part ?? 0)?.["bytes"];
      if (bytes instanceof Uint8Array) yield zstdDecompressSync(bytes);
    }
  }

  async retract(id: string, count: number): Promise<void> {
    this.#transaction(() => {
      this.#database
        .prepare(
          "DELETE FROM changes WHERE entry = ? AND seq > (SELECT max(seq) - ? FROM changes WHERE entry = ?)",
        )
        .run(id, count, id);
      this.#database
        .prepare("DELETE FROM entries WHERE id = ? AND id NOT IN (SELECT entry FROM changes)")
        .run(id);
    });
  }

  async entries(query: HistoryQuery): Promise<HistoryEntry[]> {
    const under = query.path === null ? "" : query.path;
    const rows = this.#database
      .prepare(
        `SELECT id FROM entries WHERE (:all OR id IN (
           SELECT entry FROM changes WHERE path = :path OR to_path = :path
             OR substr(path, 1, length(:under)) = :under OR substr(to_path, 1, length(:under)) = :under
             OR substr(:path, 1, length(path) + 1) = path || '/'
             OR substr(:path, 1, length(to_path) + 1) = to_path || '/'))
         ORDER BY rowid DESC LIMIT :limit`,
      )
      .all({ all: under === "" ? 1 : 0, path: under, under: `${under}/`, limit: query.limit });
    return rows.flatMap((row) => this.#entry(String(row["id"])) ?? []);
  }

  async entry(id: string): Promise<HistoryEntry | null> {
    return this.#entry(id);
  }

  #entry(id: string): HistoryEntry | null {
    const row = this.#database.prepare("SELECT * FROM entries WHERE id = ?").get(id);
    if (row === undefined) return null;

    const changes = this.#database
      .prepare("SELECT detail FROM changes WHERE entry = ? ORDER BY seq")
      .all(id);
    const text = (name: string): string | null => {
      const value = row[name];
      return typeof value === "string" ? value : null;
    };
    return {
      id,
      at: new Date(Number(row["at"])),
      actor: text("actor") ?? "",
      call: text("call") ?? "",
      batch: text("batch"),
      undoes: text("undoes"),
      undoneBy: this.#undoneBy(id, text("batch")),
      changes: changes.map((change): Change => JSON.parse(String(change["detail"]))),
    };
  }

  /** The undo of an entry, or of its batch, that has not itself been undone. */
  #undoneBy(id: string, batch: string | null): string | null {
    const undos = this.#database
      .prepare("SELECT id FROM entries WHERE undoes = ? OR undoes = ? ORDER BY rowid DESC")
      .all(id, batch ?? id);
    const standing = undos.find((row) => this.#undoneBy(String(row["id"]), null) === null);
    return standing === undefined ? null : String(standing["id"]);
  }

  async idsFor(start: string): Promise<string[]> {
    const batch = this.#database
      .prepare("SELECT id FROM entries WHERE batch = ? ORDER BY rowid")
      .all(start);
    const rows =
      batch.length > 0
        ? batch
        : this.#database
            .prepare(
              "SELECT id FROM entries WHERE substr(id, 1, length(?1)) = ?1 ORDER BY rowid LIMIT 20",
            )
            .all(start);
    return rows.map((row) => String(row["id"]));
  }

  async size(): Promise<{ entries: number; bytes: number }> {
    return this.#size();
  }

  #size(): { entries: number; bytes: number } {
    const row = this.#database
      .prepare(
        `SELECT (SELECT count(*) FROM entries) AS entries,
           (SELECT coalesce(sum(length(bytes)), 0) FROM blobs) AS bytes`,
      )
      .get();
    return { entries: Number(row?.["entries"]), bytes: Number(row?.["bytes"]) };
  }

  async prune(now: Date, keep: KeepLimits): Promise<void> {
    const { query_only: isReadOnly } = this.#database.prepare("PRAGMA query_only").get() ?? {};
    if (isReadOnly === 1) return;
    const last = this.#database.prepare("SELECT value FROM facts WHERE name = 'pruned'").get();
    if (last !== undefined && now.getTime() - Number(last["value"]) < DAY) return;
    this.#transaction(() => {
      this.#database
        .prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('pruned', ?)")
        .run(now.getTime());
      this.#database
        .prepare(
          "DELETE FROM entries WHERE at < ? AND id <> (SELECT id FROM entries ORDER BY rowid DESC LIMIT 1)",
        )
        .run(now.getTime() - keep.days * DAY);
      this.#forgetUnusedBlobs();
      for (
        let size = this.#size();
        size.bytes > keep.bytes && size.entries > 1;
        size = this.#size()
      ) {
        this.#database.exec(
          `DELETE FROM entries WHERE id IN (SELECT id FROM entries ORDER BY rowid
             LIMIT (SELECT max(1, min(count(*) - 1, count(*) / 10)) FROM entries))`,
        );
        this.#forgetUnusedBlobs();
      }
    });
  }

  #forgetUnusedBlobs(): void {
    this.#database.exec("DELETE FROM blobs WHERE hash NOT IN (SELECT blob FROM uses)");
  }
}

function blobsOf(change: Change): string[] {
  switch (change.kind) {
    case "create":
      return change.after === null ? [] : [change.after];
    case "modify":
      return "wholeBefore" in change.kept
        ? [change.kept.wholeBefore, change.kept.wholeAfter]
        : [change.kept.removed, change.kept.inserted];
    case "remove":
    case "restore":
      return change.items.flatMap((item) => (item.kind === "file" ? [item.bytes] : []));
    case "move":
      return [];
  }
}
