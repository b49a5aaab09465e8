import { isStopWord } from "../../text/language.ts";
import type { Statements } from "./database.ts";
import type { Query } from "./query.ts";
import { stemsOf } from "./stems.ts";

/** A word of a query and the forms of it that the vault has. */
export interface WordGroup {
  readonly word: string;
  /** Forms to look for, with how much each counts: the word as typed counts most. */
  readonly forms: ReadonlyMap<string, number>;
  /** Chunks that have one of them, about. */
  readonly chunks: number;
  /** What finding it tells: the rarer, the more. */
  readonly weight: number;
}

const FORMS = 12;
const OTHER_FORM = 0.85;

/** Looks up the forms of each word of a query. */
export function groupsOf(query: Query, total: number, statements: Statements): WordGroup[] {
  return query.words.map((word) => {
    const group = groupOf(word, query.language, total, statements);
    return { ...group, weight: group.weight * (query.times.get(word) ?? 1) };
  });
}

export function groupOf(
  word: string,
  language: Query["language"],
  total: number,
  statements: Statements,
): WordGroup {
  const stems = stemsOf(word);
  const forms = new Map<string, number>([[word, 1]]);
  let chunks = 0;
  const add = (sql: string, key: string): void => {
    for (const row of statements.get(sql).all(key)) {
      const form = String(row["word"]);
      if (forms.has(form) && form !== word) continue;
      if (form !== word && isStopWord(form)) continue;
      forms.set(form, form === word ? 1 : OTHER_FORM);
      chunks += Number(row["chunks"]);
    }
  };
  const most = `ORDER BY chunks DESC LIMIT ${FORMS}`;
  if (language !== "en") add(`SELECT word, chunks FROM words WHERE fr = ? ${most}`, stems.fr);
  if (language !== "fr") add(`SELECT word, chunks FROM words WHERE en = ? ${most}`, stems.en);
  if (word.includes("oe")) forms.set(word.replaceAll("oe", "œ"), 1);
  const count = Math.min(total, chunks);
  return { word, forms, chunks: count, weight: weightOf(count, total) };
}

export function weightOf(chunks: number, total: number): number {
  return Math.log(1 + (total - chunks + 0.5) / (chunks + 0.5));
}

/** How many rows may be ranked by FTS5 in one search: it takes over a microsecond for each. */
const RANKED = 3000;
/** How many are taken unranked where ranking would be too many. */
const UNRANKED = 80;

export interface Filter {
  /** Appended to the `WHERE` of a search on `fts`. */
  readonly sql: string;
}

/**
 * The chunks that may answer, best guess first: never more work than a bounded number of rows, however common the words.
 * Rare words are ranked by FTS5; words too common for that only add chunks that have all of them, or have them in a heading.
 */
export function findCandidates(
  groups: readonly WordGroup[],
  phrases: readonly (readonly string[])[],
  filter: Filter,
  limit: number,
  statements: Statements,
): number[] {
  const ids = new Set<number>();
  const run = (match: string, order: string, most: number): number => {
    const sql = `SELECT rowid FROM fts WHERE fts MATCH ? ${filter.sql} ${order} LIMIT ${most}`;
    const rows = statements.get(sql).all(match);
    for (const row of rows) ids.add(Number(row["rowid"]));
    return rows.length;
  };
  const ranked = "ORDER BY bm25(fts, 1.5, 3.0, 1.0)";
  for (const phrase of phrases) run(quote(phrase), "", limit);
  const sorted = groups.toSorted((a, b) => a.chunks - b.chunks);
  const rare: WordGroup[] = [];
  let rows = 0;
  for (const group of sorted) {
    rows += group.chunks;
    if (rows > RANKED) break;
    rare.push(group);
  }
  const isAll = rare.length === groups.length;
  if (rare.length > 0) run(rare.map(anyForm).join(" OR "), ranked, limit);
  if (isAll) return [...ids];
  if (groups.length > 1)
    run(sorted.map((group) => `(${anyForm(group)})`).join(" AND "), "", UNRANKED);
  if (ids.size < limit) {
    const [first, second] = sorted;
    if (first !== undefined && second !== undefined && groups.length > 2) {
      run(`(${anyForm(first)}) AND (${anyForm(second)})`, "", UNRANKED);
    }
    const common = sorted.filter((group) => !rare.includes(group));
    run(common.map((group) => `{heading path} : (${anyForm(group)})`).join(" OR "), "", UNRANKED);
    if (first !== undefined && ids.size < limit)
      run(anyForm(first), "ORDER BY rowid DESC", UNRANKED);
  }
  return [...ids];
}

function anyForm(group: WordGroup): string {
  return [...group.forms.keys()].map((form) => `"${form}"`).join(" OR ");
}

function quote(words: readonly string[]): string {
  return `"${words.join(" ")}"`;
}
