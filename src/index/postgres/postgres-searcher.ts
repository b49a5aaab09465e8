import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import type { LineRange } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { fuseQueries, fuseWithListed, withWider } from "../fusion.ts";
import { hitOf, type RankedChunk } from "../lexical/chunk-rows.ts";
import { askedIn, hasWords, keysIn, parseQuery, type Query } from "../query.ts";
import { Ranker, type Ranked, type UsualLengths } from "../lexical/rank.ts";
import type { WordGroup } from "../lexical/word-forms.ts";
import { DEEP_CANDIDATES, FAST_CANDIDATES } from "../ranking-weights.ts";
import type {
  AskedQuery,
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
import { boundsOf, conditionsOn, exclusionOfFiles, Conditions } from "./conditions.ts";
import { askForGroups, stemsIn, stemsStatement } from "./postgres-words.ts";
import { replacedHits, statedReplacements } from "./replaced-snapshot.ts";

/** What is known of a vault. */
interface Corpus {
  /** How many chunks there are. */
  readonly chunks: number;
  readonly usual: UsualLengths;
  /** Whether any passage replaces another. */
  readonly hasReplaced: boolean;
}

/** What all queries of a search share. */
interface SearchContext extends Corpus {
  readonly bounds: Conditions;
}

/** A query with the words of the vault that it means. */
interface PreparedQuery {
  readonly query: Query;
  readonly known: ReturnType<typeof stemsIn>;
}

/** A request with what must be known to answer it. */
interface AskedRequest {
  readonly context: SearchContext;
  readonly queries: readonly PreparedQuery[];
}

const CORPUS =
  "SELECT files, chunks, bytes, EXISTS (SELECT 1 FROM replaces r WHERE r.vault = $1) AS replaces FROM index_counts WHERE vault = $1";
const KEYS = "SELECT DISTINCT key FROM properties WHERE vault = $1 AND key = ANY ($2::text[])";

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
    this.#candidates = new Candidates(database, vault, this.#rows);
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const rows = new Map<number, Row>();
    const asked = await this.#asked(request);
    const fast = await this.#byWords(asked, request.limit, { limit: FAST_CANDIDATES, rows });
    if (request.mode === "fast")
      return { hits: await this.#arrangedOf(fast, asked, request, rows), notes: [] };
    const wider = await this.#byWords(asked, request.limit, { limit: DEEP_CANDIDATES, rows });
    const hits = await this.#arrangedOf(withWider(fast, wider), asked, request, rows);
    return { hits, notes: ["no model: lexical deep search"] };
  }

  async wider(request: SearchRequest): Promise<SearchHit[]> {
    const rows = new Map<number, Row>();
    const asked = await this.#asked(request);
    const found = await this.#byWords(asked, request.limit, { limit: DEEP_CANDIDATES, rows });
    return this.#arrangedOf(found, asked, request, rows);
  }

  async #asked(request: SearchRequest): Promise<AskedRequest> {
    const [bounds, { corpus, queries }] = await Promise.all([
      boundsOf(request, this.#database, this.#vault),
      this.#prepare(queriesOf(request)),
    ]);
    return { context: { ...corpus, bounds }, queries };
  }

  /** What all queries find, best first. @param listed how many of those that only list */
  async #byWords(
    { context, queries }: AskedRequest,
    listed: number,
    into: { readonly limit: number; readonly rows: Map<number, Row> },
  ): Promise<RankedChunk[]> {
    const found: RankedChunk[][] = [];
    const lists: RankedChunk[][] = [];
    for (const prepared of queries)
      if (hasWords(prepared.query)) found.push(await this.#find(prepared, context, into));
      else lists.push(await this.#newest(prepared.query, context, listed));
    return fuseWithListed(found, lists);
  }

  async #arrangedOf(
    found: readonly RankedChunk[],
    { context }: AskedRequest,
    request: SearchRequest,
    rows: ReadonlyMap<number, Row>,
  ): Promise<SearchHit[]> {
    const hits = await this.#shown(found.slice(0, request.limit), rows);
    return context.hasReplaced ? this.arranged(hits, request) : hits;
  }

  /** @param rows of those that were read before */
  async #shown(
    chunks: readonly RankedChunk[],
    rows: ReadonlyMap<number, Row>,
  ): Promise<SearchHit[]> {
    if (chunks.some(({ id }) => !rows.has(id)))
      return (await this.#rows.hits(chunks)).map(({ hit }) => hit);
    return chunks.flatMap((chunk) => {
      const row = rows.get(chunk.id);
      return row === undefined ? [] : [hitOf(row, chunk)];
    });
  }

  /** Queries with the words of the vault that they mean, and how large it is, in one round trip. */
  async #prepare(
    texts: readonly string[],
  ): Promise<{ readonly corpus: Corpus; readonly queries: readonly PreparedQuery[] }> {
    // Whether a word before a colon is a key depends on what the files have.
    const keys = new Set<string>();
    const guessed = texts.map((typed) => {
      const text = typed.replaceAll("\0", " ");
      const query = parseQuery(text, (key) => {
        keys.add(key);
        return false;
      });
      return { text, query };
    });
    const [counts = [], known = [], ...stems] = await this.#database.all([
      [CORPUS, [this.#vault]],
      [KEYS, [this.#vault, [...keys]]],
      ...guessed.map(({ query }) => stemsStatement(query, this.#vault)),
    ]);
    const has = new Set(known.map((row) => String(row["key"])));
    const queries = guessed.map(({ text, query: guess }, at) => {
      if (has.size === 0) return { query: guess, known: stemsIn(guess, stems[at]) };
      return { query: parseQuery(text, (key) => has.has(key)), known: stemsIn(guess, stems[at]) };
    });
    return { corpus: corpusOf(counts[0]), queries };
  }

  /** What one query finds, best first. @param rows gets those of the candidates */
  async #find(
    { query, known }: PreparedQuery,
    context: SearchContext,
    into: { readonly limit: number; readonly rows: Map<number, Row> },
  ): Promise<RankedChunk[]> {
    const groups = await this.#groups(query, context.chunks, known);
    const ranker = new Ranker(query, groups, context.usual);
    const candidates = await this.#candidates.find({
      groups,
      phrases: query.phrases,
      filter: context.bounds.and(conditionsOn(query, this.#vault)),
      limit: into.limit,
      withText: ranker.readsText,
    });
    for (const { id, row } of candidates) into.rows.set(id, row);
    const ranked = ranker.rank(candidates.map(({ candidate }) => candidate));
    const found = candidates.flatMap(({ id }, at) => {
      const rank = ranked[at] ?? null;
      return rank === null ? [] : [{ id, ...rank }];
    });
    // A phrase that stands nowhere: its words are better than nothing.
    if (found.length === 0 && query.onlyPhrases)
      return this.#find(
        { query: { ...query, phrases: [], onlyPhrases: false }, known },
        context,
        into,
      );
    return found.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  async #groups(query: Query, chunks: number, known: PreparedQuery["known"]): Promise<WordGroup[]> {
    return askForGroups(query, chunks, { database: this.#database, vault: this.#vault, known });
  }

  /** Without words: what the filters and dates let through, the newest first; entries and tasks each, of other files the beginning. */
  async #newest(query: Query, context: SearchContext, limit: number): Promise<RankedChunk[]> {
    if (context.bounds.isEmpty && query.filters.length === 0) return [];
    const filter = context.bounds.and(conditionsOn(query, this.#vault));
    const values: unknown[] = [this.#vault];
    const files = exclusionOfFiles(query.excluded, this.#vault).sql(values);
    const rows = await this.#database.query(
      `SELECT c.id FROM chunks c JOIN files f ON f.id = c.file WHERE c.vault = $1
         AND (c.day IS NOT NULL OR (c.start = 1 ${files}) OR EXISTS (SELECT 1 FROM properties p WHERE p.file = c.file AND p.chunk = c.id))
         ${filter.sql(values)}
       ORDER BY coalesce(c.day, f.updated) DESC NULLS LAST, f.path, c.start LIMIT ${limit}`,
      values,
    );
    return rows.map((row) => ({ id: Number(row["id"]), ...LISTED }));
  }

  async asked(text: string): Promise<AskedQuery> {
    const rows = await this.#database.query(KEYS, [this.#vault, [...keysIn(text)]]);
    const known = new Set(rows.map((row) => String(row["key"])));
    return askedIn(text, (key) => known.has(key));
  }

  async within(bounds: SearchBounds, conditions = ""): Promise<SectionKey[]> {
    const values: unknown[] = [this.#vault];
    const filter = (await boundsOf(bounds, this.#database, this.#vault)).and(
      await this.#conditionsIn(conditions),
    );
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
    const { corpus, queries } = await this.#prepare([text]);
    const [prepared] = queries;
    if (prepared === undefined) return [];
    const among = await this.#among(ids, conditionsOn(prepared.query, this.#vault));
    return this.#rows.hits(await this.#ranked(among, prepared, corpus));
  }

  /** The filters and exclusions of a query. */
  async #conditionsIn(text: string): Promise<Conditions> {
    if (text === "") return new Conditions();
    const { queries } = await this.#prepare([text]);
    return conditionsOn(queries[0]?.query ?? parseQuery(""), this.#vault);
  }

  /** Those of some chunks for which conditions hold, in the same order. */
  async #among(ids: readonly number[], conditions: Conditions): Promise<readonly number[]> {
    if (conditions.isEmpty) return ids;
    const values: unknown[] = [this.#vault, ids];
    const rows = await this.#database.query(
      `SELECT c.id FROM chunks c WHERE c.vault = $1 AND c.id = ANY ($2::bigint[]) ${conditions.sql(values)}`,
      values,
    );
    const kept = new Set(rows.map((row) => Number(row["id"])));
    return ids.filter((id) => kept.has(id));
  }

  async #ranked(
    ids: readonly number[],
    { query, known }: PreparedQuery,
    { chunks, usual }: Corpus,
  ): Promise<RankedChunk[]> {
    const ranker = new Ranker(query, await this.#groups(query, chunks, known), usual);
    const rows = await this.#rows.candidates(ids, ranker.readsText);
    const ranked = ranker.rank(rows.map(({ candidate }) => candidate));
    return rows.flatMap(({ id, candidate }, at) =>
      ranker.refuses(candidate) ? [] : [{ id, ...(ranked[at] ?? UNRANKED) }],
    );
  }

  /** Chunks as hits of a request, whatever they say: only its bounds, filters and excluded words keep them out. */
  async #admitted(ids: readonly number[], request: SearchRequest): Promise<SectionHit[]> {
    const bounds = await boundsOf(request, this.#database, this.#vault);
    const { corpus, queries } = await this.#prepare(queriesOf(request));
    const lists: RankedChunk[][] = [];
    for (const prepared of queries) {
      const query = { ...prepared.query, phrases: [], onlyPhrases: false };
      const among = await this.#among(ids, bounds.and(conditionsOn(query, this.#vault)));
      lists.push(await this.#ranked(among, { query, known: prepared.known }, corpus));
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

function corpusOf(row: Row | undefined): Corpus {
  const [files, chunks, bytes] = [row?.["files"], row?.["chunks"], row?.["bytes"]].map((count) =>
    Number(count ?? 0),
  );
  return {
    chunks: chunks ?? 0,
    usual: { chunk: average(bytes, chunks), file: average(bytes, files) },
    hasReplaced: row?.["replaces"] === true,
  };
}

function average(sum: number | undefined, count: number | undefined): number {
  return (sum ?? 0) / Math.max(1, count ?? 1) || 1;
}
