import { statSync } from "node:fs";

import { wordsOf } from "../../text/words.ts";
import { splitLines } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { chunkLines, type Chunk } from "../chunk.ts";
import { hashOf, withoutJobLines } from "../chunk-text.ts";
import { transaction } from "../../storage/sqlite.ts";
import { CHUNKS_PER_FILE, openIndexDatabase, Statements, type OpenedDatabase } from "./database.ts";
import { Searcher } from "./searcher.ts";
import { Sections } from "../sections.ts";
import type {
  IndexedFile,
  IndexStats,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
} from "../search-index.ts";
import { stemsOf } from "./stems.ts";

const FILES_PER_TRANSACTION = 500;
/** Milliseconds without a change that count as a quiet moment. */
const QUIET = 200;
const MOST_EDITS_UNTIDIED = 500;

/** A chunk as it is stored. */
interface Row extends Chunk {
  readonly text: string;
  readonly body: string;
  readonly hash: string;
  /** What a vector of it is kept under: it stays when the program's own keys change. */
  readonly meaning: string;
}

/** The built-in engine: a row per chunk in SQLite's FTS5, no model, no native module. */
export class SqliteIndex implements SearchIndex {
  readonly #opened: OpenedDatabase;
  readonly #statements: Statements;
  readonly #searcher: Searcher;
  readonly #sections: Sections;
  #edits = 0;
  #idle: NodeJS.Timeout | null = null;
  #loading = false;
  /** What the present transaction added to the corpus so far. */
  #growth = { chunks: 0, bytes: 0 };

  /** @param folder where its database is kept; made when missing */
  constructor(folder: string) {
    this.#opened = openIndexDatabase(folder);
    this.#statements = new Statements(this.#opened.database);
    this.#searcher = new Searcher(this.#statements);
    this.#sections = new Sections(this.#statements, this.#searcher);
    // Merging on its own stalls for seconds once after a large load; small steps in quiet moments do not.
    this.#opened.database.exec("INSERT INTO fts (fts, rank) VALUES ('automerge', 0)");
  }

  /** Why the index was found unusable and begun anew, if it was. */
  get rebuilt(): string | null {
    return this.#opened.rebuilt;
  }

  async put(file: IndexedFile): Promise<void> {
    this.#transaction(() => this.#replace(file));
    this.#tidyLater();
  }

  /** Several changes at once, in one transaction. */
  async apply(changes: {
    readonly put: readonly IndexedFile[];
    readonly gone: readonly VaultPath[];
  }): Promise<void> {
    if (changes.put.length + changes.gone.length === 0) return;
    this.#transaction(() => {
      for (const path of changes.gone) {
        const id = this.#fileId(path);
        if (id !== null) this.#removeFile(id);
      }
      for (const file of changes.put) this.#replace(file);
    });
    if (changes.gone.length > 0) this.#searcher.filesChanged();
    this.#tidyLater();
  }

  async remove(path: VaultPath): Promise<void> {
    this.#transaction(() => {
      const id = this.#fileId(path);
      if (id !== null) this.#removeFile(id);
    });
    this.#searcher.filesChanged();
    this.#tidyLater();
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    this.#transaction(() => {
      const id = this.#fileId(from);
      if (id === null || from === to) return;
      const taken = this.#fileId(to);
      if (taken !== null) this.#removeFile(taken);
      const file = this.#read(id, to);
      // The path is searched too, and a name decides how a file is cut: it is indexed anew, from the text kept here.
      this.#removeFile(id);
      this.#replace(file);
    });
    this.#searcher.filesChanged();
    this.#tidyLater();
  }

  /** A file as it was indexed; null when it is not. */
  file(path: VaultPath): IndexedFile | null {
    const id = this.#fileId(path);
    return id === null ? null : this.#read(id, path);
  }

  #read(id: number, path: VaultPath): IndexedFile {
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

  /** Its sections, for an engine that finds them by meaning. */
  get sections(): Sections {
    return this.#sections;
  }

  /** What is indexed: each file's signature by its path. */
  signatures(): Map<VaultPath, string> {
    const rows = this.#statements.get("SELECT path, signature FROM files").all();
    return new Map(rows.map((row) => [String(row["path"]), String(row["signature"])]));
  }

  /**
   * Puts many files at once: the first index, or a new one.
   * @param onFile called after each, with how many are done
   */
  async load(
    files: AsyncIterable<IndexedFile> | Iterable<IndexedFile>,
    onFile?: (done: number) => void,
  ): Promise<void> {
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
        onFile?.(done);
        if (done % FILES_PER_TRANSACTION !== 0) continue;
        this.#keepGrowth();
        database.exec("COMMIT; BEGIN");
      }
      this.#keepGrowth();
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
    this.#searcher.filesChanged();
  }

  /** Forgets everything: the next {@link load} begins from nothing. */
  clear(): void {
    this.#transaction(() => {
      this.#opened.database.exec(
        "INSERT INTO fts (fts) VALUES ('delete-all'); DELETE FROM chunks; DELETE FROM files; DELETE FROM words; UPDATE corpus SET chunks = 0, bytes = 0;",
      );
    });
    this.#searcher.filesChanged();
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    return this.#searcher.search(request);
  }

  stats(): IndexStats & { readonly bytes: number } {
    const count = (table: string): number =>
      Number(this.#statements.get(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
    const { size } = statSync(this.#opened.file);
    return {
      engine: "built-in",
      files: count("files"),
      chunks: this.#searcher.corpus().chunks,
      bytes: size,
    };
  }

  close(): void {
    this.#tidy();
    this.#opened.database.close();
  }

  #transaction(work: () => void): void {
    this.#growth = { chunks: 0, bytes: 0 };
    transaction(this.#opened.database, () => {
      work();
      this.#keepGrowth();
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

  #removeFile(id: number): void {
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

  #keepGrowth(): void {
    const { chunks, bytes } = this.#growth;
    this.#growth = { chunks: 0, bytes: 0 };
    if (chunks === 0 && bytes === 0) return;
    this.#statements
      .get("UPDATE corpus SET chunks = chunks + ?, bytes = bytes + ?")
      .run(chunks, bytes);
  }

  /** Brings one file's chunks up to date, touching only those that changed. */
  #replace(file: IndexedFile): void {
    let id = this.#fileId(file.path);
    if (id === null) {
      const made = this.#statements
        .get("INSERT INTO files (path, updated, signature, next) VALUES (?, ?, ?, 0)")
        .run(file.path, file.updated, file.signature);
      id = Number(made.lastInsertRowid);
      if (!this.#loading) this.#searcher.fileAdded(id, file.path);
    } else
      this.#statements
        .get("UPDATE files SET updated = ?, signature = ? WHERE id = ?")
        .run(file.updated, file.signature, id);
    const old = Map.groupBy(this.#chunkRows(id), (row) => row.hash);
    let next = Number(
      this.#statements.get("SELECT next FROM files WHERE id = ?").get(id)?.["next"],
    );
    for (const row of rowsOf(file)) {
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

  #insert(id: number, path: VaultPath, row: Row): void {
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

  /** Tidying up waits for a quiet moment, unless there is none for long. */
  #tidyLater(): void {
    this.#edits += 1;
    if (this.#edits >= MOST_EDITS_UNTIDIED) this.#tidy();
    else if (this.#idle === null) {
      this.#idle = setTimeout(() => this.#tidy(), QUIET);
      this.#idle.unref();
    } else this.#idle.refresh();
  }

  /** Puts pieces of the index together and brings the log of writes into the database, a bounded amount of each. */
  #tidy(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#edits === 0 || !this.#opened.database.isOpen || this.#loading) return;
    this.#edits = 0;
    this.#opened.database.exec(
      "INSERT INTO fts (fts, rank) VALUES ('merge', 200); PRAGMA wal_checkpoint(PASSIVE);",
    );
  }
}

function rowsOf(file: IndexedFile): Row[] {
  const lines = splitLines(file.text);
  return chunkLines(file.path, lines).map((chunk) => {
    const text = lines.slice(chunk.lines.start - 1, chunk.lines.end).join("\n");
    // The program's own keys would make every file match a date or a number.
    const body = chunk.lines.start === 1 ? withoutJobLines(text) : text;
    const hash = hashOf(chunk.headings, text);
    return {
      ...chunk,
      text,
      body,
      hash,
      meaning: body === text ? hash : hashOf(chunk.headings, body),
    };
  });
}
