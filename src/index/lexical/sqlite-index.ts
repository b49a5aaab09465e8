import { transaction } from "../../storage/sqlite.ts";
import { wordsOf } from "../../text/words.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { chunksOf, type ChunkText } from "../chunk.ts";
import type {
  FileChanges,
  IndexedFile,
  IndexStats,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "../search-index.ts";
import { CHUNKS_PER_FILE, openIndexDatabase, Statements, type OpenedDatabase } from "./database.ts";
import { Searcher } from "./searcher.ts";
import { stemsOf } from "./word-forms.ts";

const FILES_PER_TRANSACTION = 500;
/** Milliseconds without a change after which pending maintenance runs, and the changes after which it no longer waits. */
const QUIET = 200;
const MAX_PENDING_EDITS = 500;

/** The built-in engine: a row per chunk in SQLite's FTS5, no model, no native module. */
export class SqliteIndex implements SearchIndex {
  readonly rebuilt: string | null;
  readonly sections: Searcher;
  readonly #opened: OpenedDatabase;
  readonly #statements: Statements;
  #edits = 0;
  #idle: NodeJS.Timeout | null = null;
  #loading = false;
  /** What the present transaction added to the corpus so far. */
  #growth = { chunks: 0, bytes: 0 };

  /** @param folder where its database is kept, created when missing; null for one in memory */
  constructor(folder: string | null) {
    this.#opened = openIndexDatabase(folder);
    this.rebuilt = this.#opened.rebuilt;
    this.#statements = new Statements(this.#opened.database);
    this.sections = new Searcher(this.#statements);
    // Automatic merging stalls for seconds once after a large load; small steps in quiet moments do not.
    this.#opened.database.exec("INSERT INTO fts (fts, rank) VALUES ('automerge', 0)");
  }

  async put(file: IndexedFile): Promise<void> {
    await this.apply({ put: [file], gone: [] });
  }

  async remove(path: VaultPath): Promise<void> {
    await this.apply({ put: [], gone: [path] });
  }

  async apply({ put, gone }: FileChanges): Promise<void> {
    if (put.length + gone.length === 0) return;
    this.#transaction(() => {
      for (const path of gone) this.#removeFile(this.#fileId(path));
      for (const file of put) this.#replace(file);
    });
    this.#maintainLater();
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    const file = this.#read(from);
    // The path is searched too, and a name decides how a file is cut: it is indexed again, from the text stored here.
    if (file !== null && from !== to)
      await this.apply({ put: [{ ...file, path: to }], gone: [from, to] });
  }

  async file(path: VaultPath): Promise<IndexedFile | null> {
    return this.#read(path);
  }

  #read(path: VaultPath): IndexedFile | null {
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

  async signatures(): Promise<Map<VaultPath, string>> {
    const rows = this.#statements.get("SELECT path, signature FROM files").all();
    return new Map(rows.map((row) => [String(row["path"]), String(row["signature"])]));
  }

  async load(files: AsyncIterable<IndexedFile> | Iterable<IndexedFile>): Promise<void> {
    const { database } = this.#opened;
    this.#loading = true;
    // A larger hash table in memory writes fewer, larger pieces.
    database.exec(
      "INSERT INTO fts (fts, rank) VALUES ('hashsize', 8388608); PRAGMA wal_autocheckpoint = 1000;",
    );
    let done = 0;
    this.#growth = { chunks: 0, bytes: 0 };
    database.exec("BEGIN");
    try {
      for await (const file of files) {
        this.#replace(file);
        done += 1;
        if (done % FILES_PER_TRANSACTION !== 0) continue;
        this.#saveGrowth();
        database.exec("COMMIT; BEGIN");
      }
      this.#saveGrowth();
      database.exec("COMMIT; BEGIN");
      this.#countWords();
      database.exec("COMMIT");
      // One piece now, rather than a stall of seconds at some later edit.
      database.exec("INSERT INTO fts (fts) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE);");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
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
      this.#opened.database.exec(
        "INSERT INTO fts (fts) VALUES ('delete-all'); DELETE FROM chunks; DELETE FROM files; DELETE FROM words; UPDATE corpus SET chunks = 0, bytes = 0;",
      );
    });
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    return this.sections.search(request);
  }

  async stats(): Promise<IndexStats> {
    const counts = this.#statements
      .get(
        "SELECT (SELECT count(*) FROM files) AS files, (SELECT chunks FROM corpus) AS chunks, page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
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
    if (this.#opened.database.isOpen) this.#opened.database.close();
  }

  #transaction(work: () => void): void {
    this.#growth = { chunks: 0, bytes: 0 };
    transaction(this.#opened.database, () => {
      work();
      this.#saveGrowth();
    });
  }

  #fileId(path: VaultPath): number | null {
    const id = this.#statements.get("SELECT id FROM files WHERE path = ?").get(path)?.["id"];
    return typeof id === "number" ? id : null;
  }

  #chunkRows(
    fileId: number,
  ): { id: number; start: number; end: number; day: string | null; hash: string }[] {
    const rows = this.#statements
      .get("SELECT id, start, end, day, hash FROM chunks WHERE id BETWEEN ? AND ?")
      .all(fileId * CHUNKS_PER_FILE, (fileId + 1) * CHUNKS_PER_FILE - 1);
    return rows.map((row) => ({
      id: Number(row["id"]),
      start: Number(row["start"]),
      end: Number(row["end"]),
      day: typeof row["day"] === "string" ? row["day"] : null,
      hash: String(row["hash"]),
    }));
  }

  #removeFile(id: number | null): void {
    if (id === null) return;
    for (const row of this.#chunkRows(id)) this.#deleteChunk(row.id);
    this.#statements.get("DELETE FROM files WHERE id = ?").run(id);
  }

  #deleteChunk(id: number): void {
    this.#statements.get("DELETE FROM fts WHERE rowid = ?").run(id);
    const gone = this.#statements
      .get("DELETE FROM chunks WHERE id = ? RETURNING octet_length(text) AS bytes")
      .get(id);
    this.#grew(-1, -Number(gone?.["bytes"]));
  }

  #grew(chunks: number, bytes: number): void {
    this.#growth.chunks += chunks;
    this.#growth.bytes += bytes;
  }

  #saveGrowth(): void {
    const { chunks, bytes } = this.#growth;
    this.#growth = { chunks: 0, bytes: 0 };
    if (chunks === 0 && bytes === 0) return;
    this.#statements
      .get("UPDATE corpus SET chunks = chunks + ?, bytes = bytes + ?")
      .run(chunks, bytes);
  }

  /** Brings one file's chunks up to date, touching only those that changed. */
  #replace(file: IndexedFile): void {
    const known = this.#statements.get("SELECT id, next FROM files WHERE path = ?").get(file.path);
    let id = Number(known?.["id"]);
    let next = Number(known?.["next"] ?? 0);
    // Not one statement with ON CONFLICT and RETURNING: it opens a savepoint, at which FTS5 writes out all it holds in memory.
    if (known === undefined) {
      const added = this.#statements
        .get("INSERT INTO files (path, updated, signature, next) VALUES (?, ?, ?, 0)")
        .run(file.path, file.updated, file.signature);
      id = Number(added.lastInsertRowid);
    } else {
      this.#statements
        .get("UPDATE files SET updated = ?, signature = ? WHERE id = ?")
        .run(file.updated, file.signature, id);
    }
    const old = Map.groupBy(this.#chunkRows(id), (row) => row.hash);
    for (const row of chunksOf(file)) {
      const same = old.get(row.hash)?.shift();
      const { start, end } = row.lines;
      if (same === undefined) {
        this.#insert(id * CHUNKS_PER_FILE + next, file.path, row);
        next += 1;
      } else if (same.start !== start || same.end !== end || same.day !== row.day) {
        this.#statements
          .get("UPDATE chunks SET start = ?, end = ?, day = ? WHERE id = ?")
          .run(start, end, row.day, same.id);
      }
    }
    for (const rows of old.values()) for (const row of rows) this.#deleteChunk(row.id);
    this.#statements.get("UPDATE files SET next = ? WHERE id = ?").run(next, id);
  }

  #insert(id: number, path: VaultPath, row: ChunkText): void {
    const headings = row.headings.join("\n");
    this.#statements
      .get(
        "INSERT INTO chunks (id, start, end, headings, day, hash, meaning, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(id, row.lines.start, row.lines.end, headings, row.day, row.hash, row.meaning, row.text);
    this.#statements
      .get("INSERT INTO fts (rowid, path, heading, body) VALUES (?, ?, ?, ?)")
      .run(id, path, headings, row.body);
    this.#grew(1, Buffer.byteLength(row.text));
    if (!this.#loading) this.#addWords(`${path} ${headings} ${row.body}`);
  }

  /** New words become known at once; how common they are is counted at the next load. */
  #addWords(text: string): void {
    const insert = this.#statements.get(
      "INSERT OR IGNORE INTO words (word, fr, en, chunks) VALUES (?, ?, ?, 1)",
    );
    for (const word of new Set(wordsOf(text))) {
      const { fr, en } = stemsOf(word);
      insert.run(word, fr, en);
    }
  }

  #countWords(): void {
    const { database } = this.#opened;
    database.exec("DELETE FROM words");
    const insert = this.#statements.get(
      "INSERT OR REPLACE INTO words (word, fr, en, chunks) VALUES (?, ?, ?, ?)",
    );
    for (const row of database.prepare("SELECT term, doc FROM vocabulary").iterate()) {
      const word = String(row["term"]);
      const { fr, en } = stemsOf(word);
      insert.run(word, fr, en, Number(row["doc"]));
    }
  }

  /** Maintenance waits for a quiet moment, unless there is none for long. */
  #maintainLater(): void {
    this.#edits += 1;
    if (this.#edits >= MAX_PENDING_EDITS) this.#maintain();
    else if (this.#idle === null) {
      this.#idle = setTimeout(() => this.#maintain(), QUIET);
      this.#idle.unref();
    } else this.#idle.refresh();
  }

  /** Merges pieces of the index and checkpoints the write-ahead log, a bounded amount of each. */
  #maintain(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#edits === 0 || !this.#opened.database.isOpen || this.#loading) return;
    this.#edits = 0;
    this.#opened.database.exec(
      "INSERT INTO fts (fts, rank) VALUES ('merge', 200); PRAGMA wal_checkpoint(PASSIVE);",
    );
  }
}
