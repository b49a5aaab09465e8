import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { VaultRow } from "../../vault/postgres/vault-row.ts";
import { completionsOf } from "../lexical/filter-completion.ts";
import { PlaceReader } from "../lexical/place-reader.ts";
import {
  SingleFileChanges,
  type FileChanges,
  type FilterCompletion,
  type IndexedFile,
  type IndexedLines,
  type IndexStats,
  type Links,
  type LoadStep,
  type Places,
  type SearchIndex,
  type SearchOutcome,
  type SearchRequest,
} from "../search-index.ts";
import { IndexWriter } from "./index-writer.ts";
import { postgresLinks } from "./postgres-links.ts";
import { postgresPlaces, postgresProperties } from "./postgres-places.ts";
import { PostgresSearcher } from "./postgres-searcher.ts";

const FILES_PER_TRANSACTION = 100;
/** Loading this many files makes the statistics wrong that PostgreSQL plans by; its own schedule would notice late. */
const MANY = 500;
const MOST_TAGS = 5000;

/** The chunks of a file that have some of its lines, as one text. */
const LINES = `
  SELECT f.signature, max(c."end") AS total,
    min(c.start) FILTER (WHERE c."end" >= $3 AND c.start <= $4) AS first,
    string_agg(c.text, E'\\n' ORDER BY c.start) FILTER (WHERE c."end" >= $3 AND c.start <= $4) AS text
  FROM files f JOIN chunks c ON c.file = f.id WHERE f.vault = $1 AND f.path = $2 GROUP BY f.id`;

/** The index of one vault as rows. Within a transaction of its caller, what it writes is a part of that. */
export class PostgresIndex extends SingleFileChanges implements SearchIndex {
  readonly rebuilt = null;
  readonly sections: PostgresSearcher;
  readonly replacements: PostgresSearcher;
  readonly links: Links;
  readonly places: Places;
  readonly #database: Postgres;
  readonly #row: VaultRow;

  constructor(database: Postgres, row: VaultRow) {
    super();
    this.#database = database;
    this.#row = row;
    this.sections = new PostgresSearcher(database, row.id);
    this.replacements = this.sections;
    this.links = postgresLinks(database, row.id);
    this.places = new PlaceReader(postgresPlaces(database, row.id));
  }

  async apply({ put, gone }: FileChanges): Promise<void> {
    if (put.length + gone.length === 0) return;
    await this.#applyInOrder([...gone.map((path) => ({ gone: path })), ...put]);
  }

  async load(steps: AsyncIterable<LoadStep> | Iterable<LoadStep>): Promise<void> {
    let waiting: Exclude<LoadStep, "commit">[] = [];
    let done = 0;
    const commit = async (): Promise<void> => {
      await this.#applyInOrder(waiting);
      done += waiting.length;
      waiting = [];
    };
    for await (const step of steps) {
      if (step !== "commit") waiting.push(step);
      if (step === "commit" || waiting.length >= FILES_PER_TRANSACTION) await commit();
    }
    await commit();
    if (done >= MANY && !this.#database.isInTransaction)
      await this.#database.execute(
        "ANALYZE files, chunks, properties, links, link_names, word_counts, stems",
      );
  }

  async #applyInOrder(steps: readonly Exclude<LoadStep, "commit">[]): Promise<void> {
    if (steps.length === 0) return;
    await this.#database.transaction(async () => {
      const writer = new IndexWriter(this.#database, this.#row.id);
      const paths = new Set(steps.map((step) => ("gone" in step ? step.gone : step.path)));
      // Both are sent at once; what is read is read under the lock.
      await Promise.all([this.#row.lock(), writer.readAhead([...paths])]);
      for (const step of steps) {
        if ("gone" in step) await writer.remove(step.gone);
        else await writer.replace(step);
      }
      writer.save();
    });
  }

  async clear(): Promise<void> {
    await this.#database.transaction(async () => {
      await this.#row.lock();
      for (const table of ["files", "word_counts", "index_counts"])
        await this.#database.execute(`DELETE FROM ${table} WHERE vault = $1`, [this.#row.id]);
    });
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    return this.sections.search(request);
  }

  async completions(typed: string, most: number): Promise<FilterCompletion[]> {
    return completionsOf(
      typed.replaceAll("\0", " "),
      most,
      postgresProperties(this.#database, this.#row.id),
    );
  }

  async tags(): Promise<string[]> {
    const rows = await this.#database.query(
      `SELECT DISTINCT (t.value #>> '{}') COLLATE "C" AS tag FROM files f, json_array_elements(f.facts::json -> 1) AS t (value)
       WHERE f.vault = $1 ORDER BY tag LIMIT ${MOST_TAGS}`,
      [this.#row.id],
    );
    return rows.map((row) => String(row["tag"]));
  }

  async stats(): Promise<IndexStats> {
    const row = await this.#database.one(
      "SELECT files, chunks, bytes FROM index_counts WHERE vault = $1",
      [this.#row.id],
    );
    return {
      engine: "PostgreSQL",
      files: Number(row?.["files"] ?? 0),
      chunks: Number(row?.["chunks"] ?? 0),
      bytes: Number(row?.["bytes"] ?? 0),
    };
  }

  async signatures(): Promise<Map<VaultPath, string>> {
    const rows = await this.#database.query("SELECT path, signature FROM files WHERE vault = $1", [
      this.#row.id,
    ]);
    return new Map(rows.map((row) => [String(row["path"]), String(row["signature"])]));
  }

  async file(path: VaultPath): Promise<IndexedFile | null> {
    const row = await this.#database.one(
      `SELECT f.updated, f.signature, coalesce((SELECT string_agg(c.text || E'\\n', '' ORDER BY c.start) FROM chunks c WHERE c.file = f.id), '') AS text
       FROM files f WHERE f.vault = $1 AND f.path = $2`,
      [this.#row.id, path],
    );
    if (row === null) return null;
    return {
      path,
      text: String(row["text"]),
      updated: typeof row["updated"] === "string" ? row["updated"] : null,
      signature: String(row["signature"]),
    };
  }

  async lines(path: VaultPath, { start, end }: LineRange): Promise<IndexedLines | null> {
    const row = await this.#database.one(LINES, [this.#row.id, path, start, end]);
    if (typeof row?.["text"] !== "string") return null;
    const [first, lines] = [Number(row["first"]), row["text"].split("\n")];
    return {
      first: Math.max(first, start),
      lines: lines.slice(Math.max(0, start - first), end - first + 1),
      totalLines: Number(row["total"]),
      signature: String(row["signature"]),
    };
  }

  /** The connections are the database's. */
  async close(): Promise<void> {}
}
