import type { SQLOutputValue } from "node:sqlite";

import { DAY_LENGTH } from "../../text/local-time.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { findCandidates, groupsOf, type Filter, type WordGroup } from "./candidates.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import { deepHits } from "./lexical-expansion.ts";
import { parseQuery, type Query } from "./query.ts";
import { Ranker, type Candidate, type Ranked } from "./rank.ts";
import type { SearchHit, SearchOutcome, SearchRequest } from "../search-index.ts";

const CANDIDATES = 60;
const KEPT_SCOPES = 8;
const SIBLING = 0.3;

/** A chunk with its score for one query. */
export interface Found {
  readonly id: number;
  readonly hit: SearchHit;
  readonly text: string;
}

/** What ranking must know of all that is indexed. */
export interface Corpus {
  readonly chunks: number;
  /** Bytes in a chunk, on average. */
  readonly usualLength: number;
}

/** Searches the tables that {@link file://./sqlite-index.ts} keeps. */
export class Searcher {
  readonly #statements: Statements;
  /** Scopes by their function: the ids of the files in them, in a temporary table each. */
  readonly #scopes = new Map<(path: VaultPath) => boolean, string>();
  #tables = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** How many chunks there are, and how long they are on average. */
  corpus(): Corpus {
    const row = this.#statements.get("SELECT chunks, bytes FROM corpus").get();
    const chunks = Number(row?.["chunks"]);
    return { chunks, usualLength: Number(row?.["bytes"]) / Math.max(1, chunks) || 1 };
  }

  filesChanged(): void {
    for (const table of this.#scopes.values())
      this.#statements.get(`DROP TABLE IF EXISTS temp.${table}`).run();
    this.#scopes.clear();
  }

  fileAdded(id: number, path: VaultPath): void {
    for (const [scope, table] of this.#scopes) {
      if (scope(path))
        this.#statements.get(`INSERT OR IGNORE INTO temp.${table} VALUES (?)`).run(id);
    }
  }

  search(request: SearchRequest): SearchOutcome {
    const corpus = this.corpus();
    const filter = this.filterOf(request);
    const lists = request.queries.map((text) => {
      const query = parseQuery(text);
      const found = request.mode === "deep" ? [] : this.find(query, filter, corpus, CANDIDATES);
      // Rather a guess at what was meant than nothing.
      return found.length > 0
        ? found
        : deepHits(query, { filter, corpus, searcher: this, statements: this.#statements });
    });
    const hits = fuse(lists).slice(0, request.limit);
    const notes = request.mode === "deep" ? ["no model: lexical deep search"] : [];
    return { hits, notes };
  }

  /** What one query finds, best first. */
  find(
    query: Query,
    filter: Filter,
    corpus: Corpus,
    most: number,
    repaired: ReadonlyMap<string, WordGroup> = new Map(),
  ): Found[] {
    const groups = groupsOf(query, corpus.chunks, this.#statements).map(
      (group) => repaired.get(group.word) ?? group,
    );
    const ids = findCandidates(groups, query.phrases, filter, most, this.#statements);
    const found = this.rankAll(ids, new Ranker(query, groups, corpus.usualLength));
    // A phrase that stands nowhere: its words are better than nothing.
    if (found.length > 0 || !query.onlyPhrases) return found;
    return this.find({ ...query, phrases: [], onlyPhrases: false }, filter, corpus, most, repaired);
  }

  rankAll(ids: readonly number[], ranker: Ranker): Found[] {
    const found: Found[] = [];
    for (const row of this.#statements.get(CHUNKS_BY_ID).all(JSON.stringify(ids))) {
      const candidate = candidateOf(row);
      const ranked = ranker.rank(candidate);
      if (ranked !== null) found.push(foundIn(row, candidate, ranked));
    }
    return withSiblings(found).toSorted((a, b) => b.hit.score - a.hit.score || a.id - b.id);
  }

  /** Chunks as results of a query, in the order of their numbers, also those that have no word of it. */
  describe(ids: readonly number[], query: Query): Found[] {
    const corpus = this.corpus();
    const groups = groupsOf(query, corpus.chunks, this.#statements);
    const ranker = new Ranker(query, groups, corpus.usualLength);
    const rows = this.#statements.get(CHUNKS_BY_ID).all(JSON.stringify(ids));
    return rows.flatMap((row) => {
      const candidate = candidateOf(row);
      if (ranker.refuses(candidate)) return [];
      return [foundIn(row, candidate, ranker.rank(candidate) ?? UNRANKED)];
    });
  }

  /** What a search may answer with, as a condition on the rows of `fts`. */
  filterOf({ scope, from, to }: Pick<SearchRequest, "scope" | "from" | "to">): Filter {
    const parts: string[] = [];
    if (scope !== null)
      parts.push(
        `AND (rowid / ${CHUNKS_PER_FILE}) IN (SELECT id FROM temp.${this.#scopeTable(scope)})`,
      );
    if (from !== null || to !== null) {
      const day = `substr(coalesce(c.day, f.updated), 1, ${DAY_LENGTH})`;
      const low = from === null ? "" : `AND ${day} >= '${from}'`;
      const high = to === null ? "" : `AND ${day} <= '${to}'`;
      parts.push(
        `AND EXISTS (SELECT 1 FROM chunks c JOIN files f ON f.id = fts.rowid / ${CHUNKS_PER_FILE} WHERE c.id = fts.rowid ${low} ${high})`,
      );
    }
    return { sql: parts.join(" ") };
  }

  /** The files in a scope, worked out once for as long as no file goes away or is renamed. */
  #scopeTable(scope: (path: VaultPath) => boolean): string {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    this.#tables += 1;
    const table = `scope_${this.#tables}`;
    this.#statements.get(`CREATE TEMP TABLE ${table} (id INTEGER PRIMARY KEY)`).run();
    const insert = this.#statements.get(`INSERT INTO temp.${table} VALUES (?)`);
    for (const row of this.#statements.get("SELECT id, path FROM files").all()) {
      if (scope(String(row["path"]))) insert.run(Number(row["id"]));
    }
    this.#scopes.set(scope, table);
    const oldest = this.#scopes.entries().next().value;
    if (this.#scopes.size > KEPT_SCOPES && oldest !== undefined) {
      this.#scopes.delete(oldest[0]);
      this.#statements.get(`DROP TABLE temp.${oldest[1]}`).run();
    }
    return table;
  }
}

/** All at once: a statement for each would take longer than the ranking. */
const CHUNKS_BY_ID = `
  SELECT c.id, c.start, c.end, c.headings, c.day, c.text, f.path, f.updated, f.signature
  FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.id = wanted.value JOIN files f ON f.id = c.id / ${CHUNKS_PER_FILE}`;

/** Of a chunk that has no word of the query. */
const UNRANKED: Ranked = { score: 0, best: { start: 0, end: 0 } };

type ChunkRow = Readonly<Record<string, SQLOutputValue>>;

function candidateOf(row: ChunkRow): Candidate {
  return {
    path: String(row["path"]),
    headings: String(row["headings"]),
    text: String(row["text"]),
  };
}

function foundIn(row: ChunkRow, candidate: Candidate, { score, best }: Ranked): Found {
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
function withSiblings(found: readonly Found[]): Found[] {
  const byFile = Map.groupBy(found, ({ hit }) => hit.path);
  return found.map((each) => {
    const others = (byFile.get(each.hit.path) ?? []).filter(({ id }) => id !== each.id);
    const most = others.reduce((best, { hit }) => Math.max(best, hit.score), 0);
    const { score } = each.hit;
    const ceiling = score >= 0.5 ? 1 : 0.5;
    return { ...each, hit: { ...each.hit, score: score + (ceiling - score) * SIBLING * most } };
  });
}

/** One result per chunk: the best of its scores, a little more when several queries found it. */
function fuse(lists: readonly (readonly Found[])[]): SearchHit[] {
  const byChunk = new Map<number, { hit: SearchHit; others: number }>();
  for (const { id, hit } of lists.flat()) {
    const known = byChunk.get(id);
    if (known === undefined) byChunk.set(id, { hit, others: 0 });
    else if (hit.score > known.hit.score)
      byChunk.set(id, { hit, others: known.others + known.hit.score });
    else known.others += hit.score;
  }
  return [...byChunk.values()]
    .map(({ hit, others }) => ({ ...hit, score: Math.min(1, hit.score + 0.05 * others) }))
    .toSorted((a, b) => b.score - a.score);
}
