import type { SQLOutputValue } from "node:sqlite";

import { fold } from "../../text/words.ts";
import { countLines } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { chunksOf, type ChunkText } from "../chunk.ts";
import { factsOf, fieldsIn, type FileFacts } from "../file-facts.ts";
import type { Property } from "../frontmatter-properties.ts";
import type { IndexedFile } from "../search-index.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import { chunkColumns, sharedColumns, type SharedColumns } from "./file-columns.ts";
import { LinkWriter } from "./link-tables.ts";
import { comparable } from "./property-value.ts";
import { ReplacesWriter } from "./replaced-tables.ts";
import { WordCounts } from "./word-counts.ts";

/** Those that change with the file, in the order of {@link FileValues}. */
const FILE_COLUMNS = [
  "updated",
  "signature",
  "folded",
  "names",
  "tags",
  "title",
  "facts",
  "bytes",
  "frontmatter",
];
type FileValues = readonly (string | number | null)[];
const ADD_FILE = `INSERT INTO files (path, next, ${FILE_COLUMNS.join(", ")}) VALUES (?, ?, ${FILE_COLUMNS.map(() => "?").join(", ")})`;
const UPDATE_FILE = `UPDATE files SET ${FILE_COLUMNS.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`;

/** Of a chunk in `properties` for a key of the whole file. */
const WHOLE_FILE = 0;

type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * Writes the rows of one file after another, within a transaction of its caller. What it counts on the way (words, chunks, bytes) is written
 * by `save`, which must come before the commit.
 */
export class FileWriter {
  readonly #statements: Statements;
  readonly #words: WordCounts;
  readonly #links: LinkWriter;
  readonly #replaces: ReplacesWriter;
  #growth = noGrowth();

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#words = new WordCounts(statements);
    this.#links = new LinkWriter(statements);
    this.#replaces = new ReplacesWriter(statements);
  }

  /** For a load: words are not counted file by file, until {@link countWords}. */
  countWordsLater(): void {
    this.#words.countLater();
  }

  get hasUncountedWords(): boolean {
    return this.#words.isMissing;
  }

  countWords(): void {
    this.#words.countAll();
  }

  /** Forgets what a failed transaction counted. */
  reset(): void {
    this.#growth = noGrowth();
    this.#words.reset();
  }

  save(): void {
    const { files, chunks, bytes, paths } = this.#growth;
    if (chunks !== 0 || bytes !== 0 || paths !== 0)
      this.#statements
        .get(
          "UPDATE corpus SET files = files + ?, chunks = chunks + ?, bytes = bytes + ?, paths = paths + ?",
        )
        .run(files, chunks, bytes, paths);
    this.#words.save();
    this.#growth = noGrowth();
  }

  remove(path: VaultPath): void {
    const known = this.#known(path);
    if (known === undefined) return;
    const id = Number(known["id"]);
    const shared = sharedOf(known);
    for (const row of this.#chunks(id)) this.#delete(Number(row["id"]), shared);
    this.#statements.get("DELETE FROM properties WHERE file = ?").run(id);
    this.#statements.get("DELETE FROM names WHERE rowid = ?").run(id);
    this.#links.remove(id);
    this.#replaces.remove(id);
    this.#statements.get("DELETE FROM files WHERE id = ?").run(id);
    this.#growth.files -= 1;
    this.#growth.paths += 1;
  }

  /** Brings one file's chunks up to date, touching only those that changed. */
  replace(file: IndexedFile): void {
    const facts = factsOf(file.path, file.text);
    const stored = JSON.stringify([facts.names, facts.tags, facts.properties]);
    const known = this.#known(file.path);
    const isSame = known?.["facts"] === stored;
    const shared = isSame ? sharedOf(known) : sharedColumns(file.path, facts);
    const { updated, signature, text } = file;
    const values = [
      updated,
      signature,
      shared.path,
      shared.names,
      shared.tags,
      facts.title,
      stored,
      text.length,
      countLines(text.slice(0, facts.frontmatter)),
    ];
    const chunks = chunksOf(file, facts);
    const id =
      known === undefined ? this.#add(file.path, chunks.length, values) : Number(known["id"]);
    if (known !== undefined) this.#update(id, values);
    if (!isSame) this.#describe(id, facts, shared, known !== undefined);
    this.#links.replace(id, file.path, text, facts, known !== undefined);
    this.#replaces.replace(id, file.path, text, known !== undefined);
    const rows = known === undefined ? [] : this.#chunks(id);
    // All chunks carry the names of their file: other names are other rows.
    const old = Map.groupBy(isSame ? rows : [], (row) => row["hash"]);
    if (!isSame && known !== undefined) {
      const before = sharedOf(known);
      for (const row of rows) this.#delete(Number(row["id"]), before);
    }
    let next = Number(known?.["next"] ?? 0);
    for (const chunk of chunks) {
      const same = old.get(chunk.hash)?.shift();
      if (same === undefined) {
        const chunkId = id * CHUNKS_PER_FILE + next;
        this.#insert(chunkId, chunk, shared, facts);
        this.#addProperties(id, chunkId, fieldsIn(file.path, chunk.text.slice(chunk.skip)));
        next += 1;
      } else this.#place(same, chunk);
    }
    for (const row of [...old.values()].flat()) this.#delete(Number(row["id"]), shared);
    if (known !== undefined && next !== known["next"])
      this.#statements.get("UPDATE files SET next = ? WHERE id = ?").run(next, id);
  }

  #known(path: VaultPath): Row | undefined {
    return this.#statements
      .get("SELECT id, folded, next, names, tags, facts FROM files WHERE path = ?")
      .get(path);
  }

  #chunks(fileId: number): Row[] {
    return this.#statements
      .get("SELECT id, start, end, day, hash, meaning FROM chunks WHERE id BETWEEN ? AND ?")
      .all(fileId * CHUNKS_PER_FILE, (fileId + 1) * CHUNKS_PER_FILE - 1);
  }

  // Not one statement with ON CONFLICT and RETURNING: it opens a savepoint, at which FTS5 writes out all it holds in memory.
  #add(path: VaultPath, next: number, values: FileValues): number {
    const added = this.#statements.get(ADD_FILE).run(path, next, ...values);
    this.#growth.files += 1;
    this.#growth.paths += 1;
    return Number(added.lastInsertRowid);
  }

  #update(id: number, values: FileValues): void {
    this.#statements.get(UPDATE_FILE).run(...values, id);
  }

  /** @param isKnown whether the file has rows that may differ */
  #describe(
    id: number,
    { properties, tags }: FileFacts,
    { names }: SharedColumns,
    isKnown: boolean,
  ): void {
    if (isKnown) {
      this.#statements.get("DELETE FROM names WHERE rowid = ?").run(id);
      this.#statements
        .get("DELETE FROM properties WHERE file = ? AND chunk = ?")
        .run(id, WHOLE_FILE);
    }
    this.#statements.get("INSERT INTO names (rowid, name) VALUES (?, ?)").run(id, names);
    this.#addProperties(id, WHOLE_FILE, properties);
    this.#addProperties(
      id,
      WHOLE_FILE,
      tags.map((value) => ({ key: "tag", value })),
    );
  }

  #addProperties(file: number, chunk: number, properties: readonly Property[]): void {
    const insert = this.#statements.get(
      "INSERT OR IGNORE INTO properties (key, value, file, chunk) VALUES (?, ?, ?, ?)",
    );
    for (const { key, value } of properties)
      insert.run(fold(key), comparable(fold(key), value), file, chunk);
  }

  #place(same: Row, { start, end, day, meaning }: ChunkText): void {
    const { start: oldStart, end: oldEnd, day: oldDay, meaning: oldMeaning } = same;
    if (oldStart === start && oldEnd === end && oldDay === day && oldMeaning === meaning) return;
    this.#statements
      .get("UPDATE chunks SET start = ?, end = ?, day = ?, meaning = ? WHERE id = ?")
      .run(start, end, day, meaning, Number(same["id"]));
  }

  #insert(id: number, chunk: ChunkText, shared: SharedColumns, { properties }: FileFacts): void {
    const { headings, heading, words, aside } = chunkColumns(chunk, properties);
    this.#statements
      .get(
        "INSERT INTO chunks (id, start, end, headings, day, hash, meaning, skip, heading, aside, words, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        id,
        chunk.start,
        chunk.end,
        headings,
        chunk.day,
        chunk.hash,
        chunk.meaning,
        chunk.skip,
        heading,
        aside,
        words,
        chunk.text,
      );
    const { path, names, tags } = shared;
    this.#statements
      .get("INSERT INTO fts (rowid, path, name, heading, aside, body) VALUES (?, ?, ?, ?, ?, ?)")
      .run(id, path, names, `${heading} ${tags}`, aside, words);
    this.#words.add([path, names, tags, aside, heading, words], 1);
    this.#growth.chunks += 1;
    this.#growth.bytes += words.length;
  }

  #delete(id: number, shared: SharedColumns): void {
    this.#statements.get("DELETE FROM fts WHERE rowid = ?").run(id);
    this.#statements
      .get("DELETE FROM properties WHERE file = ? AND chunk = ?")
      .run(Math.floor(id / CHUNKS_PER_FILE), id);
    const gone = this.#statements
      .get("DELETE FROM chunks WHERE id = ? RETURNING heading, words, aside")
      .get(id);
    const { path, names, tags } = shared;
    const aside = String(gone?.["aside"]);
    const words = String(gone?.["words"]);
    const heading = String(gone?.["heading"]);
    this.#words.add([path, names, tags, aside, heading, words], -1);
    this.#growth.chunks -= 1;
    this.#growth.bytes -= words.length;
  }
}

/** What `corpus` counts; `paths` is how many files came or went. */
function noGrowth(): { files: number; chunks: number; bytes: number; paths: number } {
  return { files: 0, chunks: 0, bytes: 0, paths: 0 };
}

/** As they were written: they may be of an older text of the file. */
function sharedOf(row: Row): SharedColumns {
  return {
    path: String(row["folded"]),
    names: String(row["names"]),
    tags: String(row["tags"]),
  };
}
