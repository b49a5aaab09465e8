import type { DatabaseSync } from "node:sqlite";

import { transaction } from "../../storage/sqlite.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import {
  SingleFileChanges,
  type FileChanges,
  type FilterCompletion,
  type IndexedFile,
  type IndexedLines,
  type IndexStats,
  type LoadStep,
  type Replacements,
  type SearchIndex,
  type SearchOutcome,
  type SearchRequest,
} from "../search-index.ts";
import { CHUNKS_PER_FILE, openIndexDatabase, Statements } from "./database.ts";
import { FileWriter } from "./file-writer.ts";
import { completionsOf, sqliteProperties } from "./filter-completion.ts";
import type { LinkReader } from "./link-reader.ts";
import { sqliteLinks } from "./link-tables.ts";
import { PlaceReader, sqlitePlaces } from "./place-reader.ts";
import { Searcher } from "./searcher.ts";

const FILES_PER_TRANSACTION = 1000;
/** Milliseconds without a change after which pending maintenance runs, the pause between its steps, and the changes after which it no longer waits. */
const QUIET = 200;
const BETWEEN_STEPS = 20;
const MAX_PENDING_EDITS = 2000;
/** Pages that a step of maintenance merges, and those merged after every so many changes that no quiet moment follows. */
const QUIET_MERGE = 200;
const SMALL_MERGE = 32;
const EDITS_PER_SMALL_MERGE = 8;

/** The chunks of a file that have some of its lines, as one text. */
const LINES = `
  SELECT f.signature, max(c.end) AS total,
    min(c.start) FILTER (WHERE c.end >= ?2 AND c.start <= ?3) AS first,
    group_concat(c.text, char(10) ORDER BY c.start) FILTER (WHERE c.end >= ?2 AND c.start <= ?3) AS text
  FROM files f JOIN chunks c ON c.id BETWEEN f.id * ${CHUNKS_PER_FILE} AND (f.id + 1) * ${CHUNKS_PER_FILE} - 1
  WHERE f.path = ?1 GROUP BY f.id`;

/** The built-in engine: a row per chunk in SQLite's FTS5, no model, no native module. */
export class SqliteIndex extends SingleFileChanges implements SearchIndex {
  readonly rebuilt: string | null;
  readonly sections: Searcher;
  readonly links: LinkReader;
  readonly replacements: Replacements;
  readonly places: PlaceReader;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  #edits = 0;
  #idle: NodeJS.Timeout | null = null;
  #loading = false;
  readonly #writer: FileWriter;

  /**
   * @param folder where its database is kept, created when missing; null for one in memory
   * @param canRebuild see {@link openIndexDatabase}
   */
  constructor(folder: string | null, canRebuild = true) {
    super();
    const { database, rebuilt } = openIndexDatabase(folder, canRebuild);
    this.#database = database;
    this.rebuilt = rebuilt;
    this.#statements = new Statements(database);
    this.sections = new Searcher(this.#statements);
    this.links = sqliteLinks(this.#statements);
    this.replacements = this.sections.replacements;
    this.places = new PlaceReader(sqlitePlaces(this.#statements));
    this.#writer = new FileWriter(this.#statements);
    // A load that was interrupted.
    if (this.#writer.hasUncountedWords) this.#transaction(() => {});
  }

  async apply({ put, gone }: FileChanges): Promise<void> {
    if (put.length + gone.length === 0) return;
    this.#transaction(() => {
      for (const path of gone) this.#writer.remove(path);
      for (const file of put) this.#writer.replace(file);
    });
    this.#maintainLater();
  }

  async file(path: VaultPath): Promise<IndexedFile | null> {
    const id = this.#fileId(path);
    if (id === null) return null;
    const file = this.#statements.get("SELECT updated, signature FROM files WHERE id = ?").get(id);
    const texts = this.#statements
      .get("SELECT text FROM chunks WHERE id BETWEEN ? AND ? ORDER BY start")
      .all(id * CHUNKS_PER_FILE, (id + 1) * CHUNKS_PER_FILE - 1);
    return {
      path,
      text: texts.map((row) => `${String(row["text"])}\n`).join(""),
      updated: typeof file?.["updated"] === "string" ? file["updated"] : null,
      signature: String(file?.["signature"]),
    };
  }

  async lines(path: VaultPath, { start, end }: LineRange): Promise<IndexedLines | null> {
    const row = this.#statements.get(LINES).get(path, start, end);
    if (typeof row?.["text"] !== "string") return null;
    const [first, lines] = [Number(row["first"]), row["text"].split("\n")];
    return {
      first: Math.max(first, start),
      lines: lines.slice(Math.max(0, start - first), end - first + 1),
      totalLines: Number(row["total"]),
      signature: String(row["signature"]),
    };
  }

  async signatures(): Promise<Map<VaultPath, string>> {
    const rows = this.#statements.get("SELECT path, signature FROM files").all();
    return new Map(rows.map((row) => [String(row["path"]), String(row["signature"])]));
  }

  async load(steps: AsyncIterable<LoadStep> | Iterable<LoadStep>): Promise<void> {
    const database = this.#database;
    this.#loading = true;
    // A larger hash table in memory writes fewer, larger pieces; a longer log writes pages once that change often: a fifth of the time.
    database.exec(
      "INSERT INTO fts (fts, rank) VALUES ('hashsize', 8388608); PRAGMA wal_autocheckpoint = 10000;",
    );
    let done = 0;
    let counted = 0;
    const isFirst = this.#statements.get("SELECT files FROM corpus").get()?.["files"] === 0;
    database.exec("BEGIN");
    try {
      this.#writer.countWordsLater();
      for await (const step of steps) {
        if (step !== "commit") {
          if ("gone" in step) this.#writer.remove(step.gone);
          else this.#writer.replace(step);
          done += 1;
          if (done % FILES_PER_TRANSACTION !== 0) continue;
        }
        this.#writer.save();
        // So that what is there by now is found in all forms of its words; twice as much each time, since all is counted.
        if (step === "commit" && done >= 2 * counted) {
          this.#writer.countWords();
          this.#writer.countWordsLater();
          counted = done;
        }
        database.exec("COMMIT; BEGIN");
      }
      this.#writer.save();
      // In one piece a search takes a fifth less and the words are counted sooner; with files that were there before it would take too long.
      if (isFirst)
        database.exec(
          "INSERT INTO fts (fts) VALUES ('optimize'); INSERT INTO names (names) VALUES ('optimize');",
        );
      this.#writer.countWords();
      database.exec("COMMIT");
      database.exec("PRAGMA wal_checkpoint(TRUNCATE);");
      this.#maintainLater();
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      this.#writer.reset();
      throw error;
    } finally {
      this.#loading = false;
      database.exec(
        "INSERT INTO fts (fts, rank) VALUES ('hashsize', 1048576); PRAGMA wal_autocheckpoint = 0;",
      );
    }
  }

  async clear(): Promise<void> {
    this.#transaction(() => {
      this.#database.exec(
        "INSERT INTO fts (fts) VALUES ('delete-all'); INSERT INTO names (names) VALUES ('delete-all'); DELETE FROM chunks; DELETE FROM files; DELETE FROM words; DELETE FROM properties; DELETE FROM links; DELETE FROM link_names; DELETE FROM replaces; UPDATE corpus SET files = 0, chunks = 0, bytes = 0, paths = paths + 1;",
      );
    });
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    return this.sections.search(request);
  }

  async completions(typed: string, most: number): Promise<FilterCompletion[]> {
    return completionsOf(typed, most, sqliteProperties(this.#statements));
  }

  async tags(): Promise<string[]> {
    return this.#statements
      .get(
        "SELECT DISTINCT t.value AS tag FROM files f, json_each(f.facts, '$[1]') t ORDER BY tag LIMIT 5000",
      )
      .all()
      .map(({ tag }) => String(tag));
  }

  async stats(): Promise<IndexStats> {
    const counts = this.#statements
      .get(
        "SELECT (SELECT files FROM corpus) AS files, (SELECT chunks FROM corpus) AS chunks, page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
      )
      .get();
    return {
      engine: "built-in",
      files: Number(counts?.["files"]),
      chunks: Number(counts?.["chunks"]),
      bytes: Number(counts?.["bytes"]),
    };
  }

  async close(): Promise<void> {
    this.#maintain();
    if (this.#database.isOpen) this.#database.close();
  }

  #transaction(work: () => void): void {
    try {
      transaction(this.#database, () => {
        if (this.#writer.hasUncountedWords) this.#writer.countWords();
        work();
        this.#writer.save();
      });
    } catch (error) {
      this.#writer.reset();
      throw error;
    }
  }

  #fileId(path: VaultPath): number | null {
    const id = this.#statements.get("SELECT id FROM files WHERE path = ?").get(path)?.["id"];
    return typeof id === "number" ? id : null;
  }

  /** Maintenance waits for a quiet moment, unless there is none for long. Every change adds a piece, and many pieces make searches slow. */
  #maintainLater(): void {
    this.#edits += 1;
    if (this.#edits >= MAX_PENDING_EDITS) return this.#maintain();
    if (this.#edits % EDITS_PER_SMALL_MERGE === 0) this.#merge(SMALL_MERGE);
    this.#maintainIn(QUIET);
  }

  #maintainIn(milliseconds: number): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#maintain(), milliseconds);
    this.#idle.unref();
  }

  /** Merges pieces of the index, a bounded amount at a time, until there is nothing to merge, and checkpoints the write-ahead log. */
  #maintain(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#edits === 0 || !this.#database.isOpen || this.#loading) return;
    const isMerged = !this.#merge(QUIET_MERGE);
    const isDone = isMerged || this.#edits >= MAX_PENDING_EDITS;
    if (isDone) this.#checkpoint();
    if (!isMerged) this.#maintainIn(BETWEEN_STEPS);
  }

  #checkpoint(): void {
    try {
      this.#database.exec("PRAGMA wal_checkpoint(PASSIVE);");
      this.#edits = 0;
    } catch {
      // A full disk: the index is complete without it, and the next change tries again.
    }
  }

  /** Whether there was something to merge: a step that changes nothing but its own command has found nothing. */
  #merge(pages: number): boolean {
    const before = this.#totalChanges();
    try {
      this.#statements.get("INSERT INTO fts (fts, rank) VALUES ('merge', ?)").run(pages);
    } catch {
      // A full disk, as for a checkpoint.
      return false;
    }
    return this.#totalChanges() - before > 1;
  }

  #totalChanges(): number {
    return Number(this.#statements.get("SELECT total_changes() AS n").get()?.["n"]);
  }
}
