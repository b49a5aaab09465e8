import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { Query } from "../lexical/query.ts";
import type { WordGroup } from "../lexical/word-forms.ts";
import {
  MAX_SCORED_ROWS,
  NAMED_FILES,
  ROWS_PER_CANDIDATE,
  UNSCORED_ROWS,
} from "../ranking-weights.ts";
import type { Conditions } from "./conditions.ts";
import { allOf, anyOf, eitherOf, phraseOf, WEIGHTS } from "./text-vectors.ts";

/** Divides by the logarithm of a text's length, and by the number of its different words. */
const BY_LENGTH = 1;

/** Proposes the chunks that may answer a query. */
export class Candidates {
  readonly #database: Postgres;
  readonly #vault: number;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
  }

  /**
   * Best guess first: a bounded number of rows, however common the words. Rare words are scored by PostgreSQL; words too common for that only
   * add chunks that have all of them, or have them in a heading.
   */
  async find(
    groups: readonly WordGroup[],
    phrases: Query["phrases"],
    filter: Conditions,
    limit: number,
  ): Promise<number[]> {
    const ids = new Set<number>();
    const add = async (match: string | null, most: number, order = ""): Promise<void> => {
      for (const id of await this.#matching(match, filter, most, order)) ids.add(id);
    };
    for (const phrase of phrases) await add(phraseOf(phrase), limit);
    const sorted = groups.toSorted((a, b) => a.chunks - b.chunks);
    const rare = rarest(sorted, MAX_SCORED_ROWS);
    const isScored = rare.length > 0;
    const proposed = await Promise.all([
      isScored
        ? this.#scored(matchOf(rare, sorted, limit * ROWS_PER_CANDIDATE), sorted, filter, limit)
        : [],
      this.#named(sorted, rare, filter),
    ]);
    for (const id of proposed.flat()) ids.add(id);
    if (rare.length === groups.length || (rare.length > 0 && ids.size >= limit)) return [...ids];
    if (groups.length > 1) await add(allOf(sorted.map(anyForm)), UNSCORED_ROWS);
    if (ids.size >= limit) return [...ids];
    const [first, second] = sorted;
    if (first !== undefined && second !== undefined && groups.length > 2)
      await add(allOf([anyForm(first), anyForm(second)]), UNSCORED_ROWS);
    const common = sorted.slice(rare.length);
    await add(eitherOf(common.map((group) => anyOf(group.forms.keys(), ":A"))), UNSCORED_ROWS);
    if (first !== undefined && ids.size < limit)
      await add(anyForm(first), UNSCORED_ROWS, "ORDER BY c.id DESC");
    return [...ids];
  }

  async #matching(
    match: string | null,
    filter: Conditions,
    most: number,
    order: string,
  ): Promise<number[]> {
    if (match === null) return [];
    const values: unknown[] = [this.#vault, match];
    const rows = await this.#database.query(
      `SELECT c.id FROM chunks c WHERE c.vault = $1 AND c.tsv @@ $2::tsquery ${filter.sql(values)} ${order} LIMIT ${most}`,
      values,
    );
    return rows.map((row) => Number(row["id"]));
  }

  /** Each word counts by how rare it is, and by how often and where it stands: nearly what BM25 says. */
  async #scored(
    match: string | null,
    groups: readonly WordGroup[],
    filter: Conditions,
    most: number,
  ): Promise<number[]> {
    if (match === null) return [];
    const values: unknown[] = [this.#vault, match];
    const score = scoreOf(groups, "c.tsv", values);
    const rows = await this.#database.query(
      `SELECT c.id FROM chunks c WHERE c.vault = $1 AND c.tsv @@ $2::tsquery ${filter.sql(values)} ORDER BY ${score} DESC, c.id LIMIT ${most}`,
      values,
    );
    return rows.map((row) => Number(row["id"]));
  }

  /** A note may be called what is asked for without saying it in its text. Common words count only together. */
  async #named(
    groups: readonly WordGroup[],
    rare: readonly WordGroup[],
    filter: Conditions,
  ): Promise<number[]> {
    const found: number[] = [];
    const find = async (match: string | null): Promise<void> => {
      if (match === null) return;
      const values: unknown[] = [this.#vault, match];
      const score = scoreOf(groups, "f.tsv", values);
      const rows = await this.#database.query(
        `SELECT c.id FROM (
           SELECT f.id FROM files f WHERE f.vault = $1 AND f.tsv @@ $2::tsquery ORDER BY ${score} DESC, f.id LIMIT ${NAMED_FILES}
         ) AS found JOIN chunks c ON c.file = found.id WHERE c.start = 1 ${filter.sql(values)}`,
        values,
      );
      found.push(...rows.map((row) => Number(row["id"])));
    };
    if (rare.length > 0) await find(eitherOf(rare.map(anyForm)));
    if (groups.length > rare.length) await find(allOf(groups.map(anyForm)));
    return found;
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

function anyForm(group: WordGroup): string | null {
  return anyOf(group.forms.keys());
}
