import { DAY_LENGTH } from "../../text/local-time.ts";
import { fuseQueries, fuseWithListed, withWider } from "../fusion.ts";
import {
  COMPARED_NAMES,
  DEEP_CANDIDATES,
  FAST_CANDIDATES,
  FTS_COLUMN_WEIGHTS,
  MAX_SCORED_ROWS,
  NAMED_FILES,
  ROWS_PER_CANDIDATE,
  UNSCORED_ROWS,
} from "../ranking-weights.ts";
import type {
  AskedQuery,
  SearchBounds,
  SearchHit,
  SearchOutcome,
  SearchRequest,
  SectionHit,
  SectionKey,
  Sections,
  SectionText,
} from "../search-index.ts";
import { ChunkRows, type RankedChunk } from "./chunk-rows.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import { conditionsOn, exclusionOfFiles, hasKey } from "./property-filter.ts";
import { askedIn, hasWords, parseQuery, type Query } from "../query.ts";
import { ReplacedHits } from "./replaced-hits.ts";
import { sqliteReplacesRows } from "./replaced-tables.ts";
import { ResolvedScopes } from "./resolved-scopes.ts";
import { Ranker, type Ranked, type UsualLengths } from "./rank.ts";
import { askSqlite } from "./sqlite-words.ts";
import { groupsOf, type WordGroup } from "./word-forms.ts";

/** What all queries of a search share. */
export interface SearchContext {
  /** A condition on the rows of `fts`, appended to a `WHERE`. */
  readonly filter: string;
  /** How many chunks there are. */
  readonly chunks: number;
  readonly usual: UsualLengths;
}

/** Reads the tables that {@link file://./sqlite-index.ts} writes: FTS5 proposes chunks, {@link Ranker} ranks them. */
export class Searcher implements Sections {
  readonly replacements: ReplacedHits;
  readonly #statements: Statements;
  readonly #rows: ChunkRows;
  readonly #scopes: ResolvedScopes;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#rows = new ChunkRows(statements);
    this.#scopes = new ResolvedScopes(statements);
    this.replacements = new ReplacedHits(
      sqliteReplacesRows(statements),
      this.#rows,
      (ids, request) => this.#admitted(ids, request),
    );
  }

  search(request: SearchRequest): SearchOutcome {
    const fast = this.#byWords(request, FAST_CANDIDATES);
    if (request.mode === "fast") return { hits: this.#shown(fast, request), notes: [] };
    const found = withWider(fast, this.#byWords(request, DEEP_CANDIDATES));
    return { hits: this.#shown(found, request), notes: ["no model: lexical deep search"] };
  }

  async wider(request: SearchRequest): Promise<SearchHit[]> {
    return this.#shown(this.#byWords(request, DEEP_CANDIDATES), request);
  }

  /** What all queries find, best first. @param most candidates of each */
  #byWords(request: SearchRequest, most: number): RankedChunk[] {
    const corpus = this.#corpus();
    const context = { ...corpus, filter: this.#filterOf(request, corpus.paths) };
    const queries = queriesOf(request).map((text) => this.#parse(text));
    return fuseWithListed(
      queries.filter(hasWords).map((query) => this.find(query, context, most)),
      queries
        .filter((query) => !hasWords(query))
        .map((query) => this.#newest(query, context, request.limit)),
    );
  }

  #shown(found: readonly RankedChunk[], request: SearchRequest): SearchHit[] {
    const best = this.#rows.hits(found.slice(0, request.limit)).map(({ hit }) => hit);
    return this.replacements.arrange(best, request);
  }

  #parse(text: string): Query {
    return parseQuery(text, (key) => hasKey(key, this.#statements));
  }

  async asked(text: string): Promise<AskedQuery> {
    return askedIn(text, (key) => hasKey(key, this.#statements));
  }

  /** What one query finds, best first. */
  find(query: Query, context: SearchContext, limit: number): RankedChunk[] {
    const groups = askSqlite(groupsOf(query, context.chunks), this.#statements);
    const ranker = new Ranker(query, groups, context.usual);
    const filter = context.filter + conditionsOn(query);
    const ids = this.#candidates(groups, query.phrases, filter, limit);
    for (const id of this.#writtenApart(groups, filter, limit)) ids.add(id);
    const rows = this.#rows.candidates([...ids], ranker.readsText);
    const ranked = ranker.rank(rows.map(({ candidate }) => candidate));
    const found = rows.flatMap(({ id }, at) => {
      const rank = ranked[at] ?? null;
      return rank === null ? [] : [{ id, ...rank }];
    });
    // A phrase that stands nowhere: its words are better than nothing.
    if (found.length === 0 && query.onlyPhrases) {
      return this.find({ ...query, phrases: [], onlyPhrases: false }, context, limit);
    }
    return found.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  /** Without words: what the filters and dates let through, the newest first; entries and tasks each, of other files the beginning. */
  #newest(query: Query, context: SearchContext, limit: number): RankedChunk[] {
    if (context.filter === "" && query.filters.length === 0) return [];
    const filter = context.filter + conditionsOn(query);
    const files = exclusionOfFiles(query.excluded);
    const sql = NEWEST_FIRST.replace("FILES", () => files).replace("FILTER", () => filter);
    return this.#statements
      .get(`${sql} LIMIT ${limit}`)
      .all()
      .map((row) => ({ id: Number(row["rowid"]), ...LISTED }));
  }

  async within(bounds: SearchBounds, conditions = ""): Promise<SectionKey[]> {
    // The filter is a condition on rows of `fts`: a chunk has the number of its row there.
    const filter =
      this.#filterOf(bounds, this.#corpus().paths) + conditionsOn(this.#parse(conditions));
    const rows = this.#statements
      .get(`SELECT fts.id, fts.meaning FROM chunks AS fts WHERE true ${filter}`)
      .all();
    return rows.map((row) => ({ id: Number(row["id"]), meaning: String(row["meaning"]) }));
  }

  async texts(ids: readonly number[]): Promise<SectionText[]> {
    return this.#rows.texts(ids);
  }

  async hits(ids: readonly number[], text: string): Promise<SectionHit[]> {
    const query = this.#parse(text);
    return this.#rows.hits(this.#ranked(this.#among(ids, conditionsOn(query)), query));
  }

  #ranked(ids: readonly number[], query: Query): RankedChunk[] {
    const { chunks, usual } = this.#corpus();
    const ranker = new Ranker(query, askSqlite(groupsOf(query, chunks), this.#statements), usual);
    const rows = this.#rows.candidates(ids, ranker.readsText);
    const ranked = ranker.rank(rows.map(({ candidate }) => candidate));
    return rows.flatMap(({ id, candidate }, at) =>
      ranker.refuses(candidate) ? [] : [{ id, ...(ranked[at] ?? UNRANKED) }],
    );
  }

  /** Chunks as hits of a request, whatever they say: only its bounds, filters and excluded words keep them out. */
  #admitted(ids: readonly number[], request: SearchRequest): SectionHit[] {
    const bounds = this.#filterOf(request, this.#corpus().paths);
    const lists = queriesOf(request).map((text) => {
      const query = { ...this.#parse(text), phrases: [], onlyPhrases: false };
      return this.#ranked(this.#among(ids, bounds + conditionsOn(query)), query);
    });
    return this.#rows.hits(fuseQueries(lists));
  }

  /** Those of some chunks for which a condition holds, in the same order. */
  #among(ids: readonly number[], condition: string): readonly number[] {
    if (condition === "") return ids;
    const rows = this.#statements.get(`${AMONG} ${condition}`).all(JSON.stringify(ids));
    const kept = new Set(rows.map((row) => Number(row["id"])));
    return ids.filter((id) => kept.has(id));
  }

  #corpus(): Omit<SearchContext, "filter"> & { readonly paths: number } {
    const row = this.#statements.get("SELECT chunks, bytes, files, paths FROM corpus").get();
    const [chunks, bytes, files] = [row?.["chunks"], row?.["bytes"], row?.["files"]].map(Number);
    return {
      paths: Number(row?.["paths"]),
      chunks: chunks ?? 0,
      usual: { chunk: average(bytes, chunks), file: average(bytes, files) },
    };
  }

  /** @param paths how often a file came or went so far */
  #filterOf({ scope, from, to }: SearchBounds, paths: number): string {
    const parts = scope === null ? [] : [this.#scopes.filterOn(scope, paths)];
    if (from !== null || to !== null) {
      const day = `substr(coalesce(c.day, f.updated), 1, ${DAY_LENGTH})`;
      const low = from === null ? "" : `AND ${day} >= '${from}'`;
      const high = to === null ? "" : `AND ${day} <= '${to}'`;
      parts.push(
        `AND EXISTS (SELECT 1 FROM chunks c JOIN files f ON f.id = fts.rowid / ${CHUNKS_PER_FILE} WHERE c.id = fts.rowid ${low} ${high})`,
      );
    }
    return parts.join(" ");
  }

  /**
   * The chunks that may answer, best guess first: a bounded number of rows, however common the words. Rare words are scored by FTS5; words
   * too common for that only add chunks that have all of them, or have them in a heading.
   */
  #candidates(
    groups: readonly WordGroup[],
    phrases: Query["phrases"],
    filter: string,
    limit: number,
  ): Set<number> {
    const ids = new Set<number>();
    const add = (match: string, order: string, most: number): void => {
      const sql = `SELECT rowid FROM fts WHERE fts MATCH ? ${filter} ${order} LIMIT ${most}`;
      for (const row of this.#statements.get(sql).all(match)) ids.add(Number(row["rowid"]));
    };
    const addScored = (match: string): void => add(match, BY_SCORE, limit);
    for (const phrase of phrases) add(`"${phrase.join(" ")}"`, "", limit);
    const sorted = groups.toSorted((a, b) => a.chunks - b.chunks);
    const rare: WordGroup[] = [];
    let rows = 0;
    for (const group of sorted) {
      rows += group.chunks;
      if (rows > MAX_SCORED_ROWS) break;
      rare.push(group);
    }
    const enough = limit * ROWS_PER_CANDIDATE;
    // Within a filter too few may stand together, and both would be searched for.
    const together = matchOf(rare, sorted, enough, filter === "");
    const alone = matchOf(rare, sorted, enough, false);
    if (rare.length > 0) addScored(together);
    if (together !== alone && ids.size < limit) addScored(alone);
    this.#addNamed(ids, sorted, rare, filter);
    if (rare.length === groups.length || (rare.length > 0 && ids.size >= limit)) return ids;
    if (groups.length > 1)
      add(sorted.map((group) => `(${anyForm(group)})`).join(" AND "), "", UNSCORED_ROWS);
    if (ids.size >= limit) return ids;
    const [first, second] = sorted;
    if (first !== undefined && second !== undefined && groups.length > 2)
      add(`(${anyForm(first)}) AND (${anyForm(second)})`, "", UNSCORED_ROWS);
    const common = sorted.slice(rare.length);
    add(
      common.map((group) => `{name heading} : (${anyForm(group)})`).join(" OR "),
      "",
      UNSCORED_ROWS,
    );
    if (first !== undefined && ids.size < limit)
      add(anyForm(first), "ORDER BY rowid DESC", UNSCORED_ROWS);
    return ids;
  }

  /** Chunks that have a word of the query only as the words it is made of, in a row; the newest of very many. */
  #writtenApart(groups: readonly WordGroup[], filter: string, limit: number): number[] {
    return groups.flatMap(({ word, apart }) => {
      if (apart === undefined) return [];
      const order = apart.chunks > MAX_SCORED_ROWS ? "ORDER BY rowid DESC" : BY_SCORE;
      const sql = `SELECT rowid FROM fts WHERE fts MATCH ? ${filter} ${order} LIMIT ${limit}`;
      const rows = this.#statements.get(sql).all(`"${apart.words.join(" ")}" NOT "${word}"`);
      return rows.map((row) => Number(row["rowid"]));
    });
  }

  /** A note may be called what is asked for without saying it in its text. Common words count only together, and are not scored: too many names have them. */
  #addNamed(
    ids: Set<number>,
    groups: readonly WordGroup[],
    rare: readonly WordGroup[],
    filter: string,
  ): void {
    const find = (files: string, match: string): void => {
      for (const row of this.#statements.get(`${beginningsOf(files)} ${filter}`).all(match))
        ids.add(Number(row["id"]));
    };
    if (rare.length > 0) find(LIKELY_NAMED, rare.map(anyForm).join(" OR "));
    if (groups.length > rare.length)
      find(SHORTLY_NAMED, groups.map((group) => `(${anyForm(group)})`).join(" AND "));
  }
}

/** The files that a query of `names` finds, by how well their names fit; and the shortest names of some, which are most like what was asked for. */
const LIKELY_NAMED = `SELECT rowid AS file FROM names WHERE names MATCH ? ORDER BY rank LIMIT ${NAMED_FILES}`;
const SHORTLY_NAMED = `
  SELECT f.id AS file FROM (SELECT rowid AS file FROM names WHERE names MATCH ? LIMIT ${COMPARED_NAMES}) AS some
  JOIN files f ON f.id = some.file ORDER BY octet_length(f.names), f.id LIMIT ${NAMED_FILES}`;

/** The beginnings of the files of a statement. */
function beginningsOf(files: string): string {
  return `SELECT fts.id FROM (${files}) AS found
    JOIN chunks AS fts ON fts.id BETWEEN found.file * ${CHUNKS_PER_FILE} AND (found.file + 1) * ${CHUNKS_PER_FILE} - 1
    WHERE fts.start = 1`;
}

/** Some chunks, under the name that filters have for them. */
const AMONG =
  "SELECT fts.id FROM json_each(?) AS wanted CROSS JOIN chunks AS fts ON fts.id = wanted.value WHERE true";

/** In the order of the columns of `fts`. */
const BY_SCORE = `ORDER BY bm25(fts, ${Object.values(FTS_COLUMN_WEIGHTS).join(", ")})`;

/** `fts` stands for the chunks, as in the filters. */
const NEWEST_FIRST = `
  SELECT fts.id AS rowid FROM chunks AS fts JOIN files ON files.id = fts.id / ${CHUNKS_PER_FILE}
  WHERE (fts.day IS NOT NULL OR (fts.start = 1 AND FILES) OR EXISTS (SELECT 1 FROM properties p WHERE p.file = files.id AND p.chunk = fts.id)) FILTER
  ORDER BY coalesce(fts.day, files.updated) DESC, files.path, fts.start`;
const LISTED: Ranked = { score: 1, best: { start: 0, end: 0 } };

/** Of a chunk that has no word of the query. */
const UNRANKED: Ranked = { score: 0, best: { start: 0, end: 0 } };

/**
 * Chunks with one of the rarest words, as many as are enough; the other words count where they stand beside.
 * @param together whether a word with far more chunks than are enough must have another word of the query beside it
 */
function matchOf(
  rare: readonly WordGroup[],
  all: readonly WordGroup[],
  enough: number,
  together: boolean,
): string {
  let rows = 0;
  let hasPairs = false;
  const parts: string[] = [];
  for (const group of rare) {
    if (rows >= enough) break;
    rows += group.chunks;
    const others = all.filter((each) => each !== group);
    const isPaired = together && rows > 2 * enough && others.length > 0;
    hasPairs ||= isPaired;
    parts.push(isPaired ? `((${anyForm(group)}) AND (${anyOf(others)}))` : anyForm(group));
  }
  const any = parts.join(" OR ");
  return parts.length === all.length && !hasPairs ? any : `(${any}) AND (${anyOf(all)})`;
}

function queriesOf({ queries }: SearchRequest): readonly string[] {
  return queries.length === 0 ? [""] : queries;
}

function anyOf(groups: readonly WordGroup[]): string {
  return groups.map(anyForm).join(" OR ");
}

function anyForm(group: WordGroup): string {
  return [...group.forms.keys()].map((form) => `"${form}"`).join(" OR ");
}

function average(sum: number | undefined, count: number | undefined): number {
  return (sum ?? 0) / Math.max(1, count ?? 1) || 1;
}
