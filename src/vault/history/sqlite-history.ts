import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { ExpectedError } from "../../errors.ts";
import { SameFile } from "../../storage/same-file.ts";
import { blobsOf, originOf, standingUndo, type OriginStep } from "./change-facts.ts";
import type { ErasedHistory, Erasure } from "./erase-history.ts";
import { eraseFrom } from "./erase-sqlite.ts";
import { explainSqlite, isReadOnly, openDatabase, transaction } from "../../storage/sqlite.ts";
import {
  DAY,
  hashOfParts,
  LONGEST_GAP,
  STAMP_CALLS,
  type EntryFacts,
  type History,
  type KeepBytes,
  type KeepLimits,
} from "./history.ts";
import { oldestOf, recordedMove, type MovesAfter } from "./moved-places.ts";
import type { VaultPath } from "../paths.ts";
import type { Change, FileOrigin, HistoryEntry, HistoryQuery } from "./history-types.ts";
import { FORGET_OLD, PINS, SCHEMA } from "./history-tables.ts";

const PART = 4 * 1024 * 1024;

type StampOf = (call: unknown, undoes: unknown) => OriginStep["stamp"];

/**
 * The history as one SQLite file in the state folder. Kept bytes are stored once per hash, compressed. Its calls resolve in the turn they are
 * made: SQLite does not wait.
 */
export class SqliteHistory implements History {
  readonly #folder: string;
  #database: DatabaseSync;
  /** Null for a history that can only be read, which may have no file. */
  #file: SameFile | null;

  constructor(stateFolder: string) {
    this.#folder = stateFolder;
    this.#database = this.#open();
    this.#file = this.#opened();
  }

  #open(): DatabaseSync {
    return openDatabase({
      file: path.join(this.#folder, "history.sqlite"),
      isLasting: true,
      name: "The history",
      consequence: "so nothing can be changed safely",
      // Full: an entry must be on disk before the change that it allows to undo.
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
      migrations: [SCHEMA, PINS],
      canBeReadOnly: true,
    });
  }

  #opened(): SameFile | null {
    return this.#isReadOnly() ? null : new SameFile(path.join(this.#folder, "history.sqlite"));
  }

  close(): void {
    this.#database.close();
  }

  #transaction<T>(work: () => T): T {
    if (this.#file?.isThere === false) {
      throw new ExpectedError(
        "unavailable",
        `The history in ${this.#folder} was removed while it was in use, so nothing was changed: it could not be undone. Stop this program and start it again.`,
      );
    }
    try {
      return this.#written(work);
    } catch (error) {
      throw explainSqlite(error, "The history", this.#folder);
    }
  }

  /** A disk that failed when the history was opened left it read-only: it is opened once more, since the disk may work again. */
  #written<T>(work: () => T): T {
    try {
      return transaction(this.#database, work);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      // The old one is not closed: something may still be read from it.
      this.#database = this.#open();
      this.#file = this.#opened();
      return transaction(this.#database, work);
    }
  }

  async record(entry: EntryFacts, describe: (keep: KeepBytes) => Change): Promise<Change> {
    return this.#transaction(() => {
      const change = describe((parts) => this.#keep(parts));
      this.#add(entry, change);
      return change;
    });
  }

  async recordAll(
    entry: EntryFacts,
    describe: (keep: KeepBytes) => readonly Change[],
  ): Promise<readonly Change[]> {
    return this.#transaction(() => {
      const changes = describe((parts) => this.#keep(parts));
      for (const change of changes) this.#add(entry, change);
      return changes;
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
    const { actor, call, batch, undoes = null, isPinned = false } = author;
    this.#database
      .prepare(
        "INSERT OR IGNORE INTO entries (id, at, actor, call, batch, undoes, pinned) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(id, at.getTime(), actor, call, batch, undoes, isPinned ? 1 : 0);
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
    try {
      yield* this.#parts(hash);
    } catch (error) {
      throw explainSqlite(error, "The history", this.#folder);
    }
  }

  *#parts(hash: string): Generator<Buffer> {
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
      this.#forgetEmpty(id);
    });
  }

  async retractPaths(id: string, paths: readonly VaultPath[]): Promise<void> {
    this.#transaction(() => {
      const last = this.#database.prepare(
        "DELETE FROM changes WHERE entry = ?1 AND seq = (SELECT max(seq) FROM changes WHERE entry = ?1 AND path = ?2)",
      );
      for (const each of paths) last.run(id, each);
      this.#forgetEmpty(id);
    });
  }

  #forgetEmpty(id: string): void {
    this.#database
      .prepare("DELETE FROM entries WHERE id = ? AND id NOT IN (SELECT entry FROM changes)")
      .run(id);
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
           AND (:call IS NULL OR call = :call)
         ORDER BY rowid DESC LIMIT :limit`,
      )
      .all({
        all: under === "" ? 1 : 0,
        path: under,
        under: `${under}/`,
        call: query.call ?? null,
        limit: query.limit,
      });
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

  #undoneBy(id: string, batch: string | null): string | null {
    const undos = this.#database.prepare(
      "SELECT id FROM entries WHERE undoes = ? OR undoes = ? ORDER BY rowid DESC",
    );
    return standingUndo(id, batch, (one, other) =>
      undos.all(one, other).map((row) => String(row["id"])),
    );
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

  async origin(file: VaultPath, hash: string): Promise<FileOrigin> {
    const rows = this.#database
      .prepare(
        `SELECT detail, call, undoes FROM changes JOIN entries ON entries.id = changes.entry
         WHERE changes.path = ? ORDER BY entries.rowid DESC, seq DESC`,
      )
      .iterate(file);
    const steps = function* (stampOf: StampOf): Generator<OriginStep> {
      for (const { detail, call, undoes } of rows)
        yield { change: JSON.parse(String(detail)), stamp: stampOf(call, undoes) };
    };
    return originOf(
      steps((call, undoes) => this.#stampOf(call, undoes)),
      hash,
    );
  }

  /** Of an entry, whether it stamped files, or took that back; an undo of an undo stamps them again. */
  #stampOf(call: unknown, undoes: unknown): OriginStep["stamp"] {
    if (STAMP_CALLS.includes(String(call))) return "done";
    if (typeof undoes !== "string") return null;
    const undone = this.#database
      .prepare("SELECT call, undoes FROM entries WHERE id = ?1 OR batch = ?1 LIMIT 1")
      .get(undoes);
    const stamp = this.#stampOf(undone?.["call"], undone?.["undoes"]);
    return stamp === null ? null : stamp === "done" ? "undone" : "done";
  }

  async movesAfter(ids: readonly string[]): Promise<MovesAfter> {
    const number = this.#database.prepare("SELECT rowid AS seq FROM entries WHERE id = ?");
    const seqs = new Map<string, number>();
    for (const id of ids) {
      const seq = number.get(id)?.["seq"];
      if (seq !== undefined) seqs.set(id, Number(seq));
    }
    const rows = this.#database
      .prepare(
        `SELECT entries.rowid AS number, path, to_path FROM changes JOIN entries ON entries.id = changes.entry
         WHERE to_path IS NOT NULL AND entries.rowid >= ? ORDER BY entries.rowid, seq`,
      )
      .all(oldestOf(seqs, ids));
    return { seqs, moves: rows.map((row) => recordedMove(row["number"], row)) };
  }

  async unpin(): Promise<number> {
    return this.#transaction(() =>
      Number(
        this.#database.prepare("UPDATE entries SET pinned = 0 WHERE pinned = 1").run().changes,
      ),
    );
  }

  async erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory> {
    if (isDry) return eraseFrom(this.#database, erasure, true);
    // What is deleted is overwritten, in the database and in its free pages.
    this.#database.exec("PRAGMA secure_delete = ON");
    return this.#transaction(() => eraseFrom(this.#database, erasure, false));
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
    if (this.#isReadOnly()) return;
    const last = this.#database.prepare("SELECT value FROM facts WHERE name = 'pruned'").get();
    const since = now.getTime() - Number(last?.["value"]);
    // A date in the future was written while the clock was wrong.
    if (since >= 0 && since < DAY) return;
    this.#transaction(() => {
      this.#database
        .prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('pruned', ?)")
        .run(now.getTime());
      this.#database.prepare(FORGET_OLD).run({
        now: now.getTime(),
        longest: LONGEST_GAP,
        age: keep.days * DAY,
      });
      this.#forgetUnusedBlobs();
      // A tenth at a time, oldest first, until the rest fits or only pinned entries and the newest one are left.
      const oldest = this.#database.prepare(
        `DELETE FROM entries WHERE id IN (
           SELECT id FROM entries WHERE pinned = 0 AND rowid < (SELECT max(rowid) FROM entries) ORDER BY rowid
             LIMIT (SELECT max(1, count(*) / 10) FROM entries))`,
      );
      while (this.#unpinnedBytes() > keep.bytes && oldest.run().changes > 0)
        this.#forgetUnusedBlobs();
    });
  }

  #isReadOnly(): boolean {
    return this.#database.prepare("PRAGMA query_only").get()?.["query_only"] === 1;
  }

  /** Of what may be forgotten: an adoption's old bytes must not push out the rest of the history. */
  #unpinnedBytes(): number {
    const row = this.#database
      .prepare(
        `SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM blobs WHERE hash NOT IN (
           SELECT blob FROM uses JOIN entries ON entries.id = uses.entry WHERE pinned = 1)`,
      )
      .get();
    return Number(row?.["bytes"]);
  }

  #forgetUnusedBlobs(): void {
    this.#database.exec("DELETE FROM blobs WHERE hash NOT IN (SELECT blob FROM uses)");
  }
}
