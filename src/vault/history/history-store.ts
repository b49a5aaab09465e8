import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { ChangedMeanwhile } from "../write/changed-meanwhile.ts";
import { ExpectedError } from "../../errors.ts";
import { openDatabase, sqliteProblem, transaction } from "../../storage/sqlite.ts";
import { readBytes } from "../files/text-file.ts";
import type { Change, ChangeAuthor, HistoryEntry, HistoryQuery } from "./history-types.ts";

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

export interface KeepLimits {
  readonly days: number;
  readonly bytes: number;
}

export const DEFAULT_KEEP: KeepLimits = { days: 90, bytes: 1_000_000_000 };

/** Sorts by time, short enough to type, and unlike any other: milliseconds, then chance, both in base 36. */
export function newId(now: Date): string {
  const chance = randomBytes(4).readUInt32BE() % 36 ** 4;
  return now.getTime().toString(36) + chance.toString(36).padStart(4, "0");
}

/**
 * What was changed, and the bytes that were there before: one SQLite file in the state folder. Old bytes are kept by
 * their hash, compressed, once; so the versions of a file that changes often share what they can.
 */
export class HistoryStore {
  readonly #database: DatabaseSync;
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = stateFolder;
    this.#database = openDatabase({
      file: path.join(stateFolder, "history.sqlite"),
      name: "The history",
      consequence: "so nothing can be changed safely",
      // Full: an entry must be on disk before the change it lets us undo.
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
      migrations: [SCHEMA],
      canBeReadOnly: true,
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Runs `work` as one transaction: all of it is durable when this returns, or none of it happened. */
  transaction<T>(work: () => T): T {
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

  /** Keeps bytes; returns the hash by which {@link bytes} gives them back. */
  keep(bytes: Buffer): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (!this.#has(hash)) {
      for (let at = 0, part = 0; at === 0 || at < bytes.length; at += PART, part += 1) {
        this.#keepPart(hash, part, bytes.subarray(at, at + PART));
      }
    }
    return hash;
  }

  /** The hash by which an open file would be kept. */
  hashOf(fd: number): string {
    const whole = createHash("sha256");
    for (let offset = 0; ; offset += PART) {
      const bytes = readBytes(fd, offset, PART);
      whole.update(bytes);
      if (bytes.length < PART) return whole.digest("hex");
    }
  }

  /** Keeps the whole of an open file, a part at a time. Throws when it is written meanwhile. */
  keepFile(fd: number): string {
    const hash = this.hashOf(fd);
    if (this.#has(hash)) return hash;
    const stored = createHash("sha256");
    for (let part = 0; ; part += 1) {
      const bytes = readBytes(fd, part * PART, PART);
      stored.update(bytes);
      if (bytes.length > 0 || part === 0) this.#keepPart(hash, part, bytes);
      if (bytes.length === PART) continue;
      // What was hashed and what was stored must be the same bytes.
      if (stored.digest("hex") !== hash) throw new ChangedMeanwhile("A file");
      return hash;
    }
  }

  #has(hash: string): boolean {
    return (
      this.#database.prepare("SELECT 1 FROM blobs WHERE hash = ? LIMIT 1").get(hash) !== undefined
    );
  }

  #keepPart(hash: string, part: number, bytes: Buffer): void {
    this.#database
      .prepare("INSERT INTO blobs (hash, part, bytes) VALUES (?, ?, ?)")
      .run(hash, part, zstdCompressSync(bytes));
  }

  /** The kept bytes, part by part. */
  *parts(hash: string): Generator<Buffer> {
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

  bytes(hash: string): Buffer {
    return Buffer.concat([...this.parts(hash)]);
  }

  /** Adds changes to an entry, making the entry with the first of them. Call inside {@link transaction}. */
  record(id: string, at: Date, author: ChangeAuthor, changes: readonly Change[]): void {
    this.#database
      .prepare(
        "INSERT OR IGNORE INTO entries (id, at, actor, call, batch, undoes) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(id, at.getTime(), author.actor, author.call, author.batch, author.undoes ?? null);
    const row = this.#database
      .prepare("SELECT max(seq) AS last FROM changes WHERE entry = ?")
      .get(id);
    let seq = Number(row?.["last"] ?? -1);
    const insert = this.#database.prepare(
      "INSERT INTO changes (entry, seq, path, to_path, detail) VALUES (?, ?, ?, ?, ?)",
    );
    const use = this.#database.prepare("INSERT OR IGNORE INTO uses (entry, blob) VALUES (?, ?)");
    for (const change of changes) {
      seq += 1;
      const to = change.kind === "move" ? change.to : null;
      insert.run(id, seq, change.path, to, JSON.stringify(change));
      for (const blob of blobsOf(change)) use.run(id, blob);
    }
  }

  /** Takes back the last `count` changes of an entry: what they announced did not happen. */
  retract(id: string, count: number): void {
    this.transaction(() => {
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

  /** Newest first. */
  entries(query: HistoryQuery): HistoryEntry[] {
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
    return rows.flatMap((row) => this.entry(String(row["id"])) ?? []);
  }

  entry(id: string): HistoryEntry | null {
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

  /** Ids of entries that begin with `start`, or that belong to the batch `start`, oldest first. */
  idsFor(start: string): string[] {
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

  size(): { entries: number; bytes: number } {
    const entries = this.#database.prepare("SELECT count(*) AS n FROM entries").get()?.["n"];
    return { entries: Number(entries), bytes: this.#keptBytes() };
  }

  #keptBytes(): number {
    const row = this.#database
      .prepare("SELECT coalesce(sum(length(bytes)), 0) AS n FROM blobs")
      .get();
    return Number(row?.["n"]);
  }

  /** Forgets what is past the limits, at most once a day; never the newest entry. */
  prune(now: Date, keep: KeepLimits): void {
    const { query_only: isReadOnly } = this.#database.prepare("PRAGMA query_only").get() ?? {};
    if (isReadOnly === 1) return;
    const last = this.#database.prepare("SELECT value FROM facts WHERE name = 'pruned'").get();
    if (last !== undefined && now.getTime() - Number(last["value"]) < DAY) return;
    this.transaction(() => {
      this.#database
        .prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('pruned', ?)")
        .run(now.getTime());
      this.#database
        .prepare(
          "DELETE FROM entries WHERE at < ? AND id <> (SELECT id FROM entries ORDER BY rowid DESC LIMIT 1)",
        )
        .run(now.getTime() - keep.days * DAY);
      this.#forgetUnusedBlobs();
      while (this.#keptBytes() > keep.bytes && this.size().entries > 1) {
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
