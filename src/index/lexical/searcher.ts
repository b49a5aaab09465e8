import type { SQLOutputValue } from "node:sqlite";

import { DAY_LENGTH } from "../../text/local-time.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { withoutJobLines } from "../chunk.ts";
import { fuseQueries } from "../fusion.ts";
import {
  COMPLETE,
  FAST_CANDIDATES,
  FTS_COLUMN_WEIGHTS,
  MAX_SCORED_ROWS,
  SIBLING,
  UNSCORED_ROWS,
} from "../ranking-weights.ts";
import type {
  SearchBounds,
  SearchHit,
  SearchOutcome,
  SearchRequest,
  SectionHit,
  SectionKey,
  Sections,
  SectionText,
} from "../search-index.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import { expandedHits } from "./lexical-expansion.ts";
import { parseQuery, type Query } from "./query.ts";
import { Ranker, type Candidate, type Ranked } from "./rank.ts";
import { groupsOf, type WordGroup } from "./word-forms.ts";

/** What all queries of a search share. */
export interface SearchContext {
  /** A condition on the rows of `fts`, appended to a `WHERE`. */
  readonly filter: string;
  /** How many chunks there are, and how many bytes they have on average. */
  readonly chunks: number;
  readonly usualLength: number;
}

/** Reads the tables that {@link file://./sqlite-index.ts} writes: FTS5 proposes chunks, {@link Ranker} ranks them. */
export class Searcher implements Sections {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
    statements.get("CREATE TEMP TABLE scope (id INTEGER PRIMARY KEY)").run();
  }

  search(request: SearchRequest): SearchOutcome {
    const context = this.#contextOf(request);
    const lists = request.queries.map((text) => {
      const query = parseQuery(text);
      const found = request.mode === "deep" ? [] : this.find(query, context, FAST_CANDIDATES);
      // A query that finds nothing is expanded in any mode.
      return found.length > 0 ? found : expandedHits(query, context, this, this.#statements);
    });
    const hits = fuseQueries(lists).slice(0, request.limit);
    const notes = request.mode === "deep" ? ["no model: lexical deep search"] : [];
    return { hits, notes };
  }

  /**
   * What one query finds, best first.
   * @param corrected groups to use instead of those of misspelt words
   */
  find(
    query: Query,
    context: SearchContext,
    limit: number,
    corrected: ReadonlyMap<string, WordGroup> = new Map(),
  ): SectionHit[] {
    const groups = groupsOf(query, context.chunks, this.#statements).map(
      (group) => corrected.get(group.word) ?? group,
    );
    const ranker = new Ranker(query, groups, context.usualLength);
    const ids = this.#candidates(groups, query.phrases, context.filter, limit);
    const found = this.#rows(ids).flatMap((row) => {
      const candidate = candidateOf(row);
      const ranked = ranker.rank(candidate);
      return ranked === null ? [] : [hitOf(row, candidate, ranked)];
    });
    // A phrase that stands nowhere: its words are better than nothing.
    if (found.length === 0 && query.onlyPhrases) {
      return this.find({ ...query, phrases: [], onlyPhrases: false }, context, limit, corrected);
    }
    return withSiblings(found).toSorted((a, b) => b.hit.score - a.hit.score || a.id - b.id);
  }

  async within(bounds: SearchBounds): Promise<SectionKey[]> {
    // The filter is a condition on rows of `fts`: a chunk has the number of its row there.
    const rows = this.#statements
      .get(`SELECT fts.id, fts.meaning FROM chunks AS fts WHERE true ${this.#filterOf(bounds)}`)
      .all();
    return rows.map((row) => ({ id: Number(row["id"]), meaning: String(row["meaning"]) }));
  }

  async texts(ids: readonly number[]): Promise<SectionText[]> {
    return this.#rows(ids).map((row) => {
      const text = String(row["text"]);
      return {
        id: Number(row["id"]),
        meaning: String(row["meaning"]),
        title: String(row["headings"]).replaceAll("\n", " > "),
        text: Number(row["start"]) === 1 ? withoutJobLines(text) : text,
      };
    });
  }

  async hits(ids: readonly number[], text: string): Promise<SectionHit[]> {
    const query = parseQuery(text);
    const { chunks, usualLength } = this.#corpus();
    const ranker = new Ranker(query, groupsOf(query, chunks, this.#statements), usualLength);
    return this.#rows(ids).flatMap((row) => {
      const candidate = candidateOf(row);
      if (ranker.refuses(candidate)) return [];
      return [hitOf(row, candidate, ranker.rank(candidate) ?? UNRANKED)];
    });
  }

  #contextOf(bounds: SearchBounds): SearchContext {
    return { ...this.#corpus(), filter: this.#filterOf(bounds) };
  }

  #corpus(): Omit<SearchContext, "filter"> {
    const row = this.#statements.get("SELECT chunks, bytes FROM corpus").get();
    const chunks = Number(row?.["chunks"]);
    return { chunks, usualLength: Number(row?.["bytes"]) / Math.max(1, chunks) || 1 };
  }

  /** Valid until the next call: the scope of every search is resolved into the same table. */
  #filterOf({ scope, from, to }: SearchBounds): string {
    const parts: string[] = [];
    if (scope !== null) {
      this.#resolveScope(scope);
      parts.push(`AND (rowid / ${CHUNKS_PER_FILE}) IN (SELECT id FROM temp.scope)`);
    }
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

  #resolveScope(scope: (path: VaultPath) => boolean): void {
    const files = this.#statements.get("SELECT id, path FROM files").all();
    const ids = files.filter((row) => scope(String(row["path"]))).map((row) => row["id"]);
    this.#statements.get("DELETE FROM temp.scope").run();
    this.#statements
      .get("INSERT INTO temp.scope SELECT value FROM json_each(?)")
      .run(JSON.stringify(ids));
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
  ): number[] {
    const ids = new Set<number>();
    const add = (match: string, order: string, most: number): void => {
      const sql = `SELECT rowid FROM fts WHERE fts MATCH ? ${filter} ${order} LIMIT ${most}`;
      for (const row of this.#statements.get(sql).all(match)) ids.add(Number(row["rowid"]));
    };
    for (const phrase of phrases) add(`"${phrase.join(" ")}"`, "", limit);
    const sorted = groups.toSorted((a, b) => a.chunks - b.chunks);
    const rare: WordGroup[] = [];
    let rows = 0;
    for (const group of sorted) {
      rows += group.chunks;
      if (rows > MAX_SCORED_ROWS) break;
      rare.push(group);
    }
    if (rare.length > 0) add(rare.map(anyForm).join(" OR "), BY_SCORE, limit);
    if (rare.length === groups.length) return [...ids];
    if (groups.length > 1)
      add(sorted.map((group) => `(${anyForm(group)})`).join(" AND "), "", UNSCORED_ROWS);
    if (ids.size >= limit) return [...ids];
    const [first, second] = sorted;
    if (first !== undefined && second !== undefined && groups.length > 2)
      add(`(${anyForm(first)}) AND (${anyForm(second)})`, "", UNSCORED_ROWS);
    const common = sorted.slice(rare.length);
    add(
      common.map((group) => `{heading path} : (${anyForm(group)})`).join(" OR "),
      "",
      UNSCORED_ROWS,
    );
    if (first !== undefined && ids.size < limit)
      add(anyForm(first), "ORDER BY rowid DESC", UNSCORED_ROWS);
    return [...ids];
  }

  /** In the order of `ids`. All at once: a statement for each would take longer than the ranking. */
  #rows(ids: readonly number[]): ChunkRow[] {
    return this.#statements.get(CHUNKS_BY_ID).all(JSON.stringify(ids));
  }
}

const CHUNKS_BY_ID = `
  SELECT c.id, c.start, c.end, c.headings, c.day, c.meaning, c.text, f.path, f.updated, f.signature
  FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.id = wanted.value JOIN files f ON f.id = c.id / ${CHUNKS_PER_FILE}`;

/** In the order of the columns of `fts`. */
const BY_SCORE = `ORDER BY bm25(fts, ${FTS_COLUMN_WEIGHTS.path}, ${FTS_COLUMN_WEIGHTS.heading}, ${FTS_COLUMN_WEIGHTS.body})`;

/** Of a chunk that has no word of the query. */
const UNRANKED: Ranked = { score: 0, best: { start: 0, end: 0 } };

type ChunkRow = Readonly<Record<string, SQLOutputValue>>;

function anyForm(group: WordGroup): string {
  return [...group.forms.keys()].map((form) => `"${form}"`).join(" OR ");
}

function candidateOf(row: ChunkRow): Candidate {
  return {
    path: String(row["path"]),
    headings: String(row["headings"]),
    text: String(row["text"]),
  };
}

function hitOf(row: ChunkRow, candidate: Candidate, { score, best }: Ranked): SectionHit {
  const start = Number(row["start"]);
  const end = Number(row["end"]);
  const date = row["day"] ?? row["updated"];
  const hit: SearchHit = {
    path: candidate.path,
    score,
    lines: { start, end },
    best: { start: start + best.start, end: Math.min(end, start + best.end) },
    headings: candidate.headings === "" ? [] : candidate.headings.split("\n"),
    signature: String(row["signature"]),
    date: typeof date === "string" ? date : null,
  };
  return { id: Number(row["id"]), text: candidate.text, hit };
}

/** A chunk of a file that answers in other places too is a little more likely to be what was meant. */
function withSiblings(found: readonly SectionHit[]): SectionHit[] {
  const byFile = Map.groupBy(found, ({ hit }) => hit.path);
  return found.map((each) => {
    const others = (byFile.get(each.hit.path) ?? []).filter(({ id }) => id !== each.id);
    const most = others.reduce((best, { hit }) => Math.max(best, hit.score), 0);
    const { score } = each.hit;
    const ceiling = score >= COMPLETE ? 1 : COMPLETE;
    return { ...each, hit: { ...each.hit, score: score + (ceiling - score) * SIBLING * most } };
  });
}
