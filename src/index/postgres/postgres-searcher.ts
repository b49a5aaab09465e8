import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { fuseQueries } from "../fusion.ts";
import type { RankedChunk } from "../lexical/chunk-rows.ts";
import { parseQuery, type Query } from "../lexical/query.ts";
import { Ranker, type Ranked, type UsualLengths } from "../lexical/rank.ts";
import { DEEP_CANDIDATES, FAST_CANDIDATES } from "../ranking-weights.ts";
import type {
  Replacement,
  Replacements,
  SearchBounds,
  SearchHit,
  SearchOutcome,
  SearchRequest,
  SectionHit,
  SectionKey,
  Sections,
  SectionText,
  StatedReplacement,
} from "../search-index.ts";
import { Candidates } from "./candidates.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { boundsOf, filtersOn, type Conditions } from "./conditions.ts";
import { askForGroups } from "./postgres-words.ts";
import { replacedHits, statedReplacements } from "./replaced-snapshot.ts";

/** What all queries of a search share. */
interface SearchContext {
  readonly bounds: Conditions;
  /** How many chunks there are. */
  readonly chunks: number;
  readonly usual: UsualLengths;
  /** Whether any passage replaces another. */
  readonly hasReplaced: boolean;
}

const LISTED: Ranked = { score: 1, best: { start: 0, end: 0 } };
/** Of a chunk that has no word of the query. */
const UNRANKED: Ranked = { score: 0, best: { start: 0, end: 0 } };

/** Reads the tables that {@link IndexWriter} writes: PostgreSQL proposes chunks, {@link Ranker} ranks them as it does those of SQLite. */
export class PostgresSearcher implements Sections, Replacements {
  readonly #database: Postgres;
  readonly #vault: number;
  readonly #rows: ChunkReader;
  readonly #candidates: Candidates;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
    this.#rows = new ChunkReader(database, vault);
    this.#candidates = new Candidates(database, vault);
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const context = await this.#context(request);
    const most = request.mode === "deep" ? DEEP_CANDIDATES : FAST_CANDIDATES;
    const lists: RankedChunk[][] = [];
    for (const text of queriesOf(request)) {
      const query = await this.#parse(text);
      lists.push(
        query.words.length === 0
          ? await this.#newest(query, context, request.limit)
          : await this.#find(query, context, most),
      );
    }
    const best = fuseQueries(lists).slice(0, request.limit);
    const found = (await this.#rows.hits(best)).map(({ hit }) => hit);
    const notes = request.mode === "deep" ? ["no model: lexical deep search"] : [];
    const hits = context.hasReplaced
      ? await this.arranged(found, request)
      : found.slice(0, request.limit);
    return { hits, notes };
  }

  async #context(bounds: SearchBounds): Promise<SearchContext> {
    const [corpus, conditions] = await Promise.all([
      this.#corpus(),
      boundsOf(bounds, this.#database, this.#vault),
    ]);
    return { ...corpus, bounds: conditions };
  }

  async #corpus(): Promise<Omit<SearchContext, "bounds">> {
    const row = await this.#database.one(
      "SELECT files, chunks, bytes, EXISTS (SELECT 1 FROM replaces r WHERE r.vault = $1) AS replaces FROM index_counts WHERE vault = $1",
      [this.#vault],
    );
    const [files, chunks, bytes] = [row?.["files"], row?.["chunks"], row?.["bytes"]].map((count) =>
      Number(count ?? 0),
    );
    return {
      chunks: chunks ?? 0,
      usual: { chunk: average(bytes, chunks), file: average(bytes, files) },
      hasReplaced: row?.["replaces"] === true,
    };
  }

  /** Whether a word before a colon is a key depends on what the files have: all of them are asked for at once. */
  async #parse(typed: string): Promise<Query> {
    const text = typed.replaceAll("\0", " ");
    const asked = new Set<string>();
    const plain = parseQuery(text, (key) => {
      asked.add(key);
      return false;
    });
    if (asked.size === 0) return plain;
    const rows = await this.#database.query(
      "SELECT DISTINCT key FROM properties WHERE vault = $1 AND key = ANY ($2)",
      [this.#vault, [...asked]],
    );
    const known = new Set(rows.map((row) => String(row["key"])));
    return parseQuery(text, (key) => known.has(key));
  }

  /** What one query finds, best first. */
  async #find(query: Query, context: SearchContext, limit: number): Promise<RankedChunk[]> {
    const groups = await askForGroups(query, context.chunks, this.#database, this.#vault);
    const ranker = new Ranker(query, groups, context.usual);
    const filter = context.bounds.and(filtersOn(query.filters, this.#vault));
    const ids = await this.#candidates.find(groups, query.phrases, filter, limit);
    const rows = await this.#rows.candidates(ids, ranker.readsText);
    const ranked = ranker.rank(rows.map(({ candidate }) => candidate));
    const found = rows.flatMap(({ id }, at) => {
      const rank = ranked[at] ?? null;
      return rank === null ? [] : [{ id, ...rank }];
    });
    // A phrase that stands nowhere: its words are better than nothing.
    if (found.length === 0 && query.onlyPhrases)
      return this.#find({ ...query, phrases: [], onlyPhrases: false }, context, limit);
    return found.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  /** Without words: what the filters and dates let through, the newest first; entries and tasks each, of other files the beginning. */
  async #newest(query: Query, context: SearchContext, limit: number): Promise<RankedChunk[]> {
    const filter = context.bounds.and(filtersOn(query.filters, this.#vault));
    if (filter.isEmpty) return [];
    const values: unknown[] = [this.#vault];
    const rows = await this.#database.query(
      `SELECT c.id FROM chunks c JOIN files f ON f.id = c.file WHERE c.vault = $1
         AND (c.day IS NOT NULL OR c.start = 1 OR EXISTS (SELECT 1 FROM properties p WHERE p.file = c.file AND p.chunk = c.id))
         ${filter.sql(values)}
       ORDER BY coalesce(c.day, f.updated) DESC NULLS LAST, f.path, c.start LIMIT ${limit}`,
      values,
    );
    return rows.map((row) => ({ id: Number(row["id"]), ...LISTED }));
  }

  async within(bounds: SearchBounds): Promise<SectionKey[]> {
    const values: unknown[] = [this.#vault];
    const filter = await boundsOf(bounds, this.#database, this.#vault);
    const rows = await this.#database.query(
      `SELECT c.id, c.meaning FROM chunks c WHERE c.vault = $1 ${filter.sql(values)} ORDER BY c.id`,
      values,
    );
    return rows.map((row) => ({ id: Number(row["id"]), meaning: String(row["meaning"]) }));
  }

  async texts(ids: readonly number[]): Promise<SectionText[]> {
    return this.#rows.texts(ids);
  }

  async hits(ids: readonly number[], text: string): Promise<SectionHit[]> {
    return this.#rows.hits(await this.#ranked(ids, await this.#parse(text)));
  }

  async #ranked(ids: readonly number[], query: Query): Promise<RankedChunk[]> {
    const { chunks, usual } = await this.#corpus();
    const groups = await askForGroups(query, chunks, this.#database, this.#vault);
    const ranker = new Ranker(query, groups, usual);
    const rows = await this.#rows.candidates(ids, ranker.readsText);
    const ranked = ranker.rank(rows.map(({ candidate }) => candidate));
    return rows.flatMap(({ id, candidate }, at) =>
      ranker.refuses(candidate) ? [] : [{ id, ...(ranked[at] ?? UNRANKED) }],
    );
  }

  /** Chunks as hits of a request, whatever they say: only its bounds, filters and excluded words keep them out. */
  async #admitted(ids: readonly number[], request: SearchRequest): Promise<SectionHit[]> {
    const bounds = await boundsOf(request, this.#database, this.#vault);
    const lists: RankedChunk[][] = [];
    for (const text of queriesOf(request)) {
      const query = { ...(await this.#parse(text)), phrases: [], onlyPhrases: false };
      const values: unknown[] = [this.#vault, ids];
      const filter = bounds.and(filtersOn(query.filters, this.#vault));
      const rows = await this.#database.query(
        `SELECT c.id FROM chunks c WHERE c.vault = $1 AND c.id = ANY ($2::bigint[]) ${filter.sql(values)} ORDER BY c.id`,
        values,
      );
      lists.push(
        await this.#ranked(
          rows.map((row) => Number(row["id"])),
          query,
        ),
      );
    }
    return this.#rows.hits(fuseQueries(lists));
  }

  async stated(): Promise<StatedReplacement[]> {
    return statedReplacements(this.#database, this.#vault);
  }

  async of(path: VaultPath, lines: LineRange): Promise<Replacement[]> {
    const parts = { database: this.#database, vault: this.#vault, rows: this.#rows };
    const replaced = await replacedHits(parts, [path], async () => []);
    return replaced?.newerThan(path, lines) ?? [];
  }

  async arranged(hits: readonly SearchHit[], request: SearchRequest): Promise<SearchHit[]> {
    const parts = { database: this.#database, vault: this.#vault, rows: this.#rows };
    const paths = hits.map(({ path }) => path);
    const replaced = await replacedHits(parts, paths, async (ids) => this.#admitted(ids, request));
    return replaced?.arrange(hits, request) ?? hits.slice(0, request.limit);
  }
}

function queriesOf({ queries }: SearchRequest): readonly string[] {
  return queries.length === 0 ? [""] : queries;
}

function average(sum: number | undefined, count: number | undefined): number {
  return (sum ?? 0) / Math.max(1, count ?? 1) || 1;
}
