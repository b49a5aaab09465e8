import type { Postgres, Statement } from "../../storage/postgres/postgres.ts";
import type { Query } from "../query.ts";
import type { WordGroup } from "../lexical/word-forms.ts";
import {
  COMPARED_NAMES,
  MAX_SCORED_ROWS,
  NAMED_FILES,
  ROWS_PER_CANDIDATE,
  UNSCORED_ROWS,
} from "../ranking-weights.ts";
import { candidatesAmong, described, type CandidateRow, type ChunkReader } from "./chunk-reader.ts";
import type { Conditions } from "./conditions.ts";
import { allOf, anyOf, eitherOf, phraseOf, WEIGHTS } from "./text-vectors.ts";

/** Divides by the logarithm of a text's length, and by the number of its different words. */
const BY_LENGTH = 1;

/** What chunks are looked for by. */
export interface Wanted {
  readonly groups: readonly WordGroup[];
  readonly phrases: Query["phrases"];
  readonly filter: Conditions;
  readonly limit: number;
  /** Whether the ranking reads their texts. */
  readonly withText: boolean;
}

/** Proposes the chunks that may answer a query. */
export class Candidates {
  readonly #database: Postgres;
  readonly #vault: number;
  readonly #rows: ChunkReader;

  constructor(database: Postgres, vault: number, rows: ChunkReader) {
    this.#database = database;
    this.#vault = vault;
    this.#rows = rows;
  }

  /**
   * A bounded number of rows, however common the words. Rare words are scored by PostgreSQL; words too common for that only add chunks that
   * have all of them, or have them in a heading. Usually one round trip.
   */
  async find(wanted: Wanted): Promise<CandidateRow[]> {
    const { groups, phrases, filter, limit, withText } = wanted;
    const sorted = groups.toSorted((a, b) => a.chunks - b.chunks);
    const rare = rarest(sorted, MAX_SCORED_ROWS);
    const scored = rare.length > 0 ? matchOf(rare, sorted, limit * ROWS_PER_CANDIDATE) : null;
    const statements = [
      ...phrases.map((phrase) => this.#matching(phraseOf(phrase), filter, limit)),
      this.#scored(scored, sorted, filter, limit),
      ...groups.map((group) => this.#matching(apartOf(group), filter, limit, "ORDER BY c.id DESC")),
      ...this.#named(sorted, rare, filter),
    ].filter((statement) => statement !== null);
    const answers = await this.#database.all(
      statements.map(([sql, values]) => [candidatesAmong(sql, withText), values]),
    );
    const found = new Map(described(answers.flat()).map((row) => [row.id, row]));
    const isEnough = rare.length === groups.length || (rare.length > 0 && found.size >= limit);
    const more = isEnough ? [] : await this.#common(wanted, sorted, rare.length, found);
    return [...found.values(), ...(await this.#rows.candidates(more, withText))];
  }

  /** What common words add, step by step, until it is enough. All steps are asked for at once: one round trip costs more than a step too many. */
  async #common(
    { groups, filter, limit }: Wanted,
    sorted: readonly WordGroup[],
    rare: number,
    found: ReadonlyMap<number, unknown>,
  ): Promise<number[]> {
    const [first, second] = sorted;
    const pair =
      first !== undefined && second !== undefined && groups.length > 2
        ? allOf([anyForm(first), anyForm(second)])
        : null;
    const headed = eitherOf(sorted.slice(rare).map((group) => anyOf(group.forms.keys(), ":A")));
    const steps = [
      {
        match: groups.length > 1 ? allOf(sorted.map(anyForm)) : null,
        order: "",
        unlessEnough: false,
      },
      { match: pair, order: "", unlessEnough: true },
      { match: headed, order: "", unlessEnough: true },
      {
        match: first === undefined ? null : anyForm(first),
        order: "ORDER BY c.id DESC",
        unlessEnough: true,
      },
    ].flatMap(({ match, order, unlessEnough }) => {
      const statement = this.#matching(match, filter, UNSCORED_ROWS, order);
      return statement === null ? [] : [{ statement, unlessEnough }];
    });
    const answers = await this.#database.all(steps.map(({ statement }) => statement));
    const more = new Set<number>();
    for (const [at, { unlessEnough }] of steps.entries())
      if (!unlessEnough || found.size + more.size < limit)
        for (const row of answers[at] ?? []) {
          const id = Number(row["id"]);
          if (!found.has(id)) more.add(id);
        }
    return [...more];
  }

  #matching(match: string | null, filter: Conditions, most: number, order = ""): Statement | null {
    if (match === null) return null;
    const values: unknown[] = [this.#vault, match];
    const sql = `SELECT c.id FROM chunks c WHERE c.vault = $1 AND c.tsv @@ $2::tsquery ${filter.sql(values)} ${order} LIMIT ${most}`;
    return [sql, values];
  }

  /** Each word counts by how rare it is, and by how often and where it stands: nearly what BM25 says. */
  #scored(
    match: string | null,
    groups: readonly WordGroup[],
    filter: Conditions,
    most: number,
  ): Statement | null {
    if (match === null) return null;
    const values: unknown[] = [this.#vault, match];
    const score = scoreOf(groups, "c.tsv", values);
    const sql = `SELECT c.id FROM chunks c WHERE c.vault = $1 AND c.tsv @@ $2::tsquery ${filter.sql(values)} ORDER BY ${score} DESC, c.id LIMIT ${most}`;
    return [sql, values];
  }

  /** A note may be called what is asked for without saying it in its text. Common words count only together, and are not scored: too many names have them. */
  #named(
    groups: readonly WordGroup[],
    rare: readonly WordGroup[],
    filter: Conditions,
  ): (Statement | null)[] {
    const likely = (values: unknown[]): string =>
      `SELECT f.id FROM files f WHERE f.vault = $1 AND f.tsv @@ $2::tsquery ORDER BY ${scoreOf(groups, "f.tsv", values)} DESC, f.id LIMIT ${NAMED_FILES}`;
    const shortest = (): string =>
      `SELECT f.id FROM (SELECT f.id, f.names FROM files f WHERE f.vault = $1 AND f.tsv @@ $2::tsquery LIMIT ${COMPARED_NAMES}) AS f
       ORDER BY octet_length(f.names), f.id LIMIT ${NAMED_FILES}`;
    const find = (match: string | null, files: (values: unknown[]) => string): Statement | null => {
      if (match === null) return null;
      const values: unknown[] = [this.#vault, match];
      const sql = `SELECT c.id FROM (${files(values)}) AS found JOIN chunks c ON c.file = found.id WHERE c.start = 1 ${filter.sql(values)}`;
      return [sql, values];
    };
    return [
      rare.length > 0 ? find(eitherOf(rare.map(anyForm)), likely) : null,
      groups.length > rare.length ? find(allOf(groups.map(anyForm)), shortest) : null,
    ];
  }
}

function scoreOf(groups: readonly WordGroup[], column: string, values: unknown[]): string {
  const parts = groups.flatMap((group) => {
    const match = anyForm(group);
    if (match === null) return [];
    return [
      `$${values.push(group.weight)}::float8 * ts_rank('${WEIGHTS}', ${column}, $${values.push(match)}::tsquery, ${BY_LENGTH})`,
    ];
  });
  return parts.length === 0 ? "0" : `(${parts.join(" + ")})`;
}

/** The rarest groups that have at most so many rows together. */
function rarest(sorted: readonly WordGroup[], most: number): WordGroup[] {
  let rows = 0;
  return sorted.filter(({ chunks }) => (rows += chunks) <= most);
}

/** Chunks with one of the rarest words, as many as are enough; the other words count where they stand beside. */
function matchOf(
  rare: readonly WordGroup[],
  all: readonly WordGroup[],
  enough: number,
): string | null {
  let rows = 0;
  const needed = rare.filter(({ chunks }) => {
    const isNeeded = rows < enough;
    rows += chunks;
    return isNeeded;
  });
  const any = eitherOf(needed.map(anyForm));
  return needed.length === all.length ? any : allOf([any, eitherOf(all.map(anyForm))]);
}

/** A word of the query only as the words it is made of, in a row. */
function apartOf({ word, apart }: WordGroup): string | null {
  const match = phraseOf(apart?.words ?? []);
  return match === null ? null : `(${match}) & !${anyOf([word]) ?? ""}`;
}

function anyForm(group: WordGroup): string | null {
  return anyOf(group.forms.keys());
}
