import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { chunksOf, type ChunkText } from "../chunk.ts";
import { factsOf, type FileFacts } from "../file-facts.ts";
import { sharedColumns, type SharedColumns } from "../lexical/file-columns.ts";
import { normalise } from "../lexical/terms.ts";
import type { IndexedFile } from "../search-index.ts";
import {
  chunkRow,
  fileRow,
  linkRows,
  nameRows,
  propertyRows,
  replacesRows,
  ROWS,
  storedFacts,
  type FileColumns,
} from "./indexed-rows.ts";
import { VaultCounts } from "./vault-counts.ts";

/** Of a row in `properties` for a key of the whole file. */
const WHOLE_FILE = 0;
/** The file is named by its path: so its rows can be sent without waiting for its id. */
const OF_FILE = "FROM files f CROSS JOIN";
const WHERE_FILE = "WHERE f.vault = $1 AND f.path = $2";
const INSERT_CHUNKS = `
  INSERT INTO chunks (vault, file, path, start, "end", headings, day, hash, meaning, skip, aside, words, text, tsv)
  SELECT $1, f.id, $2, x.start, x."end", x.headings, x.day, x.hash, x.meaning, x.skip, x.aside, x.words, x.text, x.tsv::tsvector
  ${OF_FILE} json_to_recordset($3) AS x (${ROWS.chunks}) ${WHERE_FILE}`;
const INSERT_PROPERTIES = `
  INSERT INTO properties (vault, file, key, value, chunk)
  SELECT DISTINCT $1::integer, f.id, x.key, x.value, coalesce(c.id, ${WHOLE_FILE})
  ${OF_FILE} json_to_recordset($3) AS x (${ROWS.properties}) LEFT JOIN chunks c ON c.file = f.id AND c.start = x.start ${WHERE_FILE}`;
const INSERT_LINKS = `
  INSERT INTO links (vault, file, place, line, kind, embed, target, fragment, key)
  SELECT $1, f.id, x.place, x.line, x.kind, x.embed, x.target, x.fragment, x.key
  ${OF_FILE} json_to_recordset($3) AS x (${ROWS.links}) ${WHERE_FILE}`;
const INSERT_NAMES = `
  INSERT INTO link_names (vault, file, key, alias)
  SELECT DISTINCT $1::integer, f.id, x.key, x.alias ${OF_FILE} json_to_recordset($3) AS x (${ROWS.names}) ${WHERE_FILE}`;
const INSERT_REPLACES = `
  INSERT INTO replaces (vault, file, place, line, target, headings, value, key)
  SELECT $1, f.id, x.place, x.line, x.target, x.headings, x.value, x.key
  ${OF_FILE} json_to_recordset($3) AS x (${ROWS.replaces}) ${WHERE_FILE}`;
const PUT_FILE = `
  INSERT INTO files (vault, path, folded, updated, signature, names, tags, title, facts, bytes, frontmatter, tsv)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (vault, path) DO UPDATE SET updated = excluded.updated, signature = excluded.signature, names = excluded.names,
    tags = excluded.tags, title = excluded.title, facts = excluded.facts, bytes = excluded.bytes, frontmatter = excluded.frontmatter, tsv = excluded.tsv`;
const KNOWN =
  "SELECT id, path, names, tags, facts FROM files WHERE vault = $1 AND path = ANY ($2::text[])";
const CHUNKS = `
  SELECT c.id, c.file, c.start, c."end", c.day, c.meaning, c.hash, c.headings, c.words, c.aside
  FROM files f JOIN chunks c ON c.file = f.id WHERE f.vault = $1 AND f.path = ANY ($2::text[]) ORDER BY c.id`;

/** A file as the tables have it. */
interface KnownFile {
  readonly row: Row;
  readonly chunks: readonly Row[];
}

/** A chunk that has a row. */
interface PlacedChunk {
  readonly id: number;
  readonly chunk: ChunkText;
}

/** Writes the rows of one file after another, within a transaction that holds the vault's lock; `save` must come before its commit. */
export class IndexWriter {
  readonly #database: Postgres;
  readonly #vault: number;
  readonly #counts: VaultCounts;
  /** Read ahead, each to be used once: after a change of a file it would be wrong. */
  readonly #ahead = new Map<VaultPath, KnownFile | null>();

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
    this.#counts = new VaultCounts(database, vault);
  }

  save(): void {
    this.#counts.save();
  }

  /** Reads what is known of files that will be changed, in one round trip for all of them. */
  async readAhead(paths: readonly VaultPath[]): Promise<void> {
    for (const [path, known] of await this.#read(paths)) this.#ahead.set(path, known);
  }

  async remove(path: VaultPath): Promise<void> {
    const known = await this.#known(path);
    if (known === null) return;
    this.#delete(known.chunks, sharedOf(known.row, path));
    this.#database.send("DELETE FROM files WHERE id = $1", [known.row["id"]]);
    this.#counts.files -= 1;
  }

  /** Brings one file's chunks up to date, touching only those that changed. */
  async replace(file: IndexedFile): Promise<void> {
    const { path, text } = file;
    const facts = factsOf(path, text);
    const stored = storedFacts(facts);
    const known = await this.#known(path);
    const isSame = known?.row["facts"] === stored;
    const shared = sharedColumns(path, facts);
    this.#put(fileRow(file, facts, shared));
    if (known === null) this.#counts.files += 1;
    else this.#forgetRows(known.row["id"]);
    const rows = known?.chunks ?? [];
    // All chunks carry the names of their file: other names are other rows.
    const old = Map.groupBy(isSame ? rows : [], (row) => row["hash"]);
    if (known !== null && !isSame) this.#delete(rows, sharedOf(known.row, path));
    const added: ChunkText[] = [];
    const chunks: ChunkText[] = [];
    const shifted: PlacedChunk[] = [];
    for (const chunk of chunksOf(file, facts)) {
      chunks.push(chunk);
      const same = old.get(chunk.hash)?.shift();
      if (same === undefined) added.push(chunk);
      else if (!isAt(same, chunk)) shifted.push({ id: Number(same["id"]), chunk });
    }
    this.#delete([...old.values()].flat(), shared);
    this.#place(shifted);
    this.#insert(path, added, shared, facts);
    this.#addRows(file, facts, chunks);
  }

  async #known(path: VaultPath): Promise<KnownFile | null> {
    const ahead = this.#ahead.get(path);
    this.#ahead.delete(path);
    return ahead === undefined ? ((await this.#read([path])).get(path) ?? null) : ahead;
  }

  async #read(paths: readonly VaultPath[]): Promise<Map<VaultPath, KnownFile | null>> {
    const values = [this.#vault, paths];
    const [files = [], chunks = []] = await this.#database.all([
      [KNOWN, values],
      [CHUNKS, values],
    ]);
    const byFile = Map.groupBy(chunks, (row) => row["file"]);
    const known = new Map<VaultPath, KnownFile | null>(paths.map((path) => [path, null]));
    for (const row of files)
      known.set(String(row["path"]), { row, chunks: byFile.get(row["id"]) ?? [] });
    return known;
  }

  #put(row: FileColumns): void {
    this.#database.send(PUT_FILE, [
      this.#vault,
      row.path,
      row.folded,
      row.updated,
      row.signature,
      row.names,
      row.tags,
      row.title,
      row.facts,
      row.bytes,
      row.frontmatter,
      row.tsv,
    ]);
  }

  /** What is written again for every version of a file. */
  #forgetRows(file: unknown): void {
    this.#database.send(
      `WITH p AS (DELETE FROM properties WHERE file = $1), l AS (DELETE FROM links WHERE file = $1), n AS (DELETE FROM link_names WHERE file = $1)
       DELETE FROM replaces WHERE file = $1`,
      [file],
    );
  }

  #addRows(file: IndexedFile, facts: FileFacts, chunks: readonly ChunkText[]): void {
    const insert = (sql: string, rows: readonly object[]): void => {
      if (rows.length > 0) this.#database.send(sql, [this.#vault, file.path, JSON.stringify(rows)]);
    };
    insert(INSERT_PROPERTIES, propertyRows(file, facts, chunks));
    insert(INSERT_LINKS, linkRows(file));
    insert(INSERT_NAMES, nameRows(file, facts));
    insert(INSERT_REPLACES, replacesRows(file));
  }

  #place(shifted: readonly PlacedChunk[]): void {
    if (shifted.length === 0) return;
    const rows = shifted.map(({ id, chunk: { start, end, day, meaning } }) => {
      return { id, start, end, day, meaning };
    });
    this.#database.send(
      `UPDATE chunks c SET start = x.start, "end" = x."end", day = x.day, meaning = x.meaning
       FROM json_to_recordset($1) AS x (id bigint, start integer, "end" integer, day text, meaning text) WHERE c.id = x.id`,
      [JSON.stringify(rows)],
    );
  }

  #insert(
    path: VaultPath,
    chunks: readonly ChunkText[],
    shared: SharedColumns,
    { properties }: FileFacts,
  ): void {
    if (chunks.length === 0) return;
    const rows = chunks.map((chunk) => {
      const { row, counted } = chunkRow(chunk, shared, properties);
      this.#counts.addChunk(counted, 1);
      return row;
    });
    this.#database.send(INSERT_CHUNKS, [this.#vault, path, JSON.stringify(rows)]);
  }

  #delete(rows: readonly Row[], shared: SharedColumns): void {
    if (rows.length === 0) return;
    for (const { headings, words, aside } of rows) {
      const heading = normalise(String(headings));
      const columns = { ...shared, heading, words: String(words), aside: String(aside) };
      this.#counts.addChunk(columns, -1);
    }
    this.#database.send("DELETE FROM chunks WHERE id = ANY ($1)", [rows.map((row) => row["id"])]);
  }
}

/** Whether a chunk still stands where its row says. */
function isAt(row: Row, { start, end, day, meaning }: ChunkText): boolean {
  const isSame = row["start"] === start && row["end"] === end && row["day"] === day;
  return isSame && row["meaning"] === meaning;
}

/** As they were written: they may be of an older text of the file. */
function sharedOf(row: Row, path: VaultPath): SharedColumns {
  return {
    path: normalise(path.replace(/\.md$/iu, "")),
    names: String(row["names"]),
    tags: String(row["tags"]),
  };
}
