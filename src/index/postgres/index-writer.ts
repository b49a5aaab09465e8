import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { fold } from "../../text/words.ts";
import { countLines } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { chunksOf, type ChunkText } from "../chunk.ts";
import { aliasesOf, factsOf, fieldsIn, type FileFacts, type Property } from "../file-facts.ts";
import { chunkColumns, sharedColumns, type SharedColumns } from "../lexical/file-columns.ts";
import { normalise } from "../lexical/terms.ts";
import { linkKey, linksIn } from "../links-in.ts";
import { replacesIn } from "../replaces-line.ts";
import type { IndexedFile } from "../search-index.ts";
import { vectorOf } from "./text-vectors.ts";
import { VaultCounts } from "./vault-counts.ts";

const INSERT_CHUNKS = `
  INSERT INTO chunks (vault, file, path, start, "end", headings, day, hash, meaning, skip, aside, words, text, tsv)
  SELECT $1, $2, $3, x.start, x."end", x.headings, x.day, x.hash, x.meaning, x.skip, x.aside, x.words, x.text, x.tsv::tsvector
  FROM json_to_recordset($4) AS x (start integer, "end" integer, headings text, day text, hash text, meaning text, skip integer, aside text, words text, text text, tsv text)
  RETURNING id, start`;
const INSERT_PROPERTIES = `
  INSERT INTO properties (vault, file, key, value, chunk)
  SELECT DISTINCT $1::integer, $2::bigint, x.key, x.value, x.chunk FROM json_to_recordset($3) AS x (key text, value text, chunk bigint)`;
const INSERT_LINKS = `
  INSERT INTO links (vault, file, place, line, kind, embed, target, fragment, key)
  SELECT $1, $2, x.place, x.line, x.kind, x.embed, x.target, x.fragment, x.key
  FROM json_to_recordset($3) AS x (place integer, line integer, kind text, embed boolean, target text, fragment text, key text)`;
const INSERT_NAMES = `
  INSERT INTO link_names (vault, file, key, alias)
  SELECT DISTINCT $1::integer, $2::bigint, x.key, x.alias FROM json_to_recordset($3) AS x (key text, alias boolean)`;
const INSERT_REPLACES = `
  INSERT INTO replaces (vault, file, place, line, target, headings, value, key)
  SELECT $1, $2, x.place, x.line, x.target, x.headings, x.value, x.key
  FROM json_to_recordset($3) AS x (place integer, line integer, target text, headings text, value text, key text)`;
const PUT_FILE = `
  INSERT INTO files (vault, path, folded, updated, signature, names, tags, title, facts, bytes, frontmatter, tsv)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (vault, path) DO UPDATE SET updated = excluded.updated, signature = excluded.signature, names = excluded.names,
    tags = excluded.tags, title = excluded.title, facts = excluded.facts, bytes = excluded.bytes, frontmatter = excluded.frontmatter, tsv = excluded.tsv
  RETURNING id`;

/** A chunk that has a row. */
interface PlacedChunk {
  readonly id: number;
  readonly chunk: ChunkText;
}

/** Of a row in `properties` for a key of the whole file. */
const WHOLE_FILE = 0;

/** Writes the rows of one file after another, within a transaction that holds the vault's lock; `save` must come before its commit. */
export class IndexWriter {
  readonly #database: Postgres;
  readonly #vault: number;
  readonly #counts: VaultCounts;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
    this.#counts = new VaultCounts(database, vault);
  }

  async save(): Promise<void> {
    await this.#counts.save();
  }

  async remove(path: VaultPath): Promise<void> {
    const known = await this.#known(path);
    if (known === null) return;
    await this.#delete(await this.#chunks(known), sharedOf(known, path));
    await this.#database.execute("DELETE FROM files WHERE id = $1", [known["id"]]);
    this.#counts.files -= 1;
  }

  /** Brings one file's chunks up to date, touching only those that changed. */
  async replace(file: IndexedFile): Promise<void> {
    const { path, text } = file;
    const facts = factsOf(path, text);
    const stored = JSON.stringify([facts.names, facts.tags, facts.properties]);
    const known = await this.#known(path);
    const isSame = known?.["facts"] === stored;
    const shared = sharedColumns(path, facts);
    const id = await this.#put(file, facts, shared, stored);
    if (known === null) this.#counts.files += 1;
    else await this.#forgetRows(id);
    const rows = known === null ? [] : await this.#chunks(known);
    // All chunks carry the names of their file: other names are other rows.
    const old = Map.groupBy(isSame ? rows : [], (row) => row["hash"]);
    if (known !== null && !isSame) await this.#delete(rows, sharedOf(known, path));
    const added: ChunkText[] = [];
    const kept: PlacedChunk[] = [];
    const shifted: PlacedChunk[] = [];
    for (const chunk of chunksOf(file, facts)) {
      const same = old.get(chunk.hash)?.shift();
      if (same === undefined) added.push(chunk);
      else {
        const placed = { id: Number(same["id"]), chunk };
        kept.push(placed);
        if (!isAt(same, chunk)) shifted.push(placed);
      }
    }
    await this.#delete([...old.values()].flat(), shared);
    await this.#place(shifted);
    const ids = await this.#insert(id, path, added, shared, facts);
    const chunks = [...kept, ...added.map((chunk) => ({ id: ids.get(chunk.start) ?? 0, chunk }))];
    await this.#addRows(id, file, facts, chunks);
  }

  async #known(path: VaultPath): Promise<Row | null> {
    return this.#database.one(
      "SELECT id, names, tags, facts FROM files WHERE vault = $1 AND path = $2",
      [this.#vault, path],
    );
  }

  async #chunks({ id }: Row): Promise<Row[]> {
    return this.#database.query(
      'SELECT id, start, "end", day, meaning, hash, headings, words, aside FROM chunks WHERE file = $1 ORDER BY id',
      [id],
    );
  }

  async #put(
    { path, text, updated, signature }: IndexedFile,
    facts: FileFacts,
    { names, tags }: SharedColumns,
    stored: string,
  ): Promise<number> {
    const row = await this.#database.one(PUT_FILE, [
      this.#vault,
      path,
      fold(path),
      updated,
      signature,
      names,
      tags,
      facts.title,
      stored,
      text.length,
      countLines(text.slice(0, facts.frontmatter)),
      vectorOf([{ weight: "A", normalised: names }]),
    ]);
    return Number(row?.["id"]);
  }

  /** What is written again for every version of a file. */
  async #forgetRows(file: number): Promise<void> {
    await this.#database.execute(
      `WITH p AS (DELETE FROM properties WHERE file = $1), l AS (DELETE FROM links WHERE file = $1), n AS (DELETE FROM link_names WHERE file = $1)
       DELETE FROM replaces WHERE file = $1`,
      [file],
    );
  }

  async #addRows(
    file: number,
    { path, text }: IndexedFile,
    facts: FileFacts,
    chunks: readonly PlacedChunk[],
  ): Promise<void> {
    const insert = async (sql: string, rows: readonly object[]): Promise<void> => {
      if (rows.length > 0)
        await this.#database.execute(sql, [this.#vault, file, JSON.stringify(rows)]);
    };
    const property = ({ key, value }: Property, chunk: number): object => ({
      key: fold(key),
      value: fold(value),
      chunk,
    });
    await insert(INSERT_PROPERTIES, [
      ...facts.properties.map((each) => property(each, WHOLE_FILE)),
      ...facts.tags.map((value) => property({ key: "tag", value }, WHOLE_FILE)),
      ...chunks.flatMap(({ id, chunk }) =>
        fieldsIn(path, chunk.text.slice(chunk.skip)).map((each) => property(each, id)),
      ),
    ]);
    await insert(
      INSERT_LINKS,
      linksIn(text).map(({ line, kind, isEmbed: embed, target, fragment }, place) => {
        const key = linkKey(target);
        return { place, line, kind, embed, target, fragment, key };
      }),
    );
    await insert(INSERT_NAMES, [
      { key: linkKey(path), alias: false },
      ...aliasesOf(facts).map((alias) => ({ key: linkKey(alias), alias: true })),
    ]);
    await insert(
      INSERT_REPLACES,
      replacesIn(path, text).map(({ line, target, headings, value }, place) => {
        const key = linkKey(target === "" ? path : target);
        return { place, line, target, headings: headings.join("\n"), value, key };
      }),
    );
  }

  async #place(shifted: readonly PlacedChunk[]): Promise<void> {
    if (shifted.length === 0) return;
    const rows = shifted.map(({ id, chunk: { start, end, day, meaning } }) => {
      return { id, start, end, day, meaning };
    });
    await this.#database.execute(
      `UPDATE chunks c SET start = x.start, "end" = x."end", day = x.day, meaning = x.meaning
       FROM json_to_recordset($1) AS x (id bigint, start integer, "end" integer, day text, meaning text) WHERE c.id = x.id`,
      [JSON.stringify(rows)],
    );
  }

  /** Returns the ids of the new chunks, by their first line. */
  async #insert(
    file: number,
    path: VaultPath,
    chunks: readonly ChunkText[],
    shared: SharedColumns,
    { properties }: FileFacts,
  ): Promise<Map<number, number>> {
    if (chunks.length === 0) return new Map();
    const rows = chunks.map((chunk) => {
      const { headings, heading, words, aside } = chunkColumns(chunk, properties);
      this.#counts.addChunk({ ...shared, heading, words, aside }, 1);
      const tsv = vectorOf([
        { weight: "B", normalised: shared.path },
        { weight: "A", normalised: shared.names },
        { weight: "A", normalised: `${heading} ${shared.tags}` },
        { weight: "C", normalised: aside },
        { weight: "D", normalised: words },
      ]);
      const { start, end, day, hash, meaning, skip, text } = chunk;
      return { start, end, day, hash, meaning, skip, text, headings, words, aside, tsv };
    });
    const added = await this.#database.query(INSERT_CHUNKS, [
      this.#vault,
      file,
      path,
      JSON.stringify(rows),
    ]);
    return new Map(added.map((row) => [Number(row["start"]), Number(row["id"])]));
  }

  async #delete(rows: readonly Row[], shared: SharedColumns): Promise<void> {
    if (rows.length === 0) return;
    for (const { headings, words, aside } of rows) {
      const heading = normalise(String(headings));
      const columns = { ...shared, heading, words: String(words), aside: String(aside) };
      this.#counts.addChunk(columns, -1);
    }
    await this.#database.execute("DELETE FROM chunks WHERE id = ANY ($1)", [
      rows.map((row) => row["id"]),
    ]);
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
