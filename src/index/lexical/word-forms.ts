import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";

import { isStopWord } from "../../text/language.ts";
import { MAX_FORMS, OTHER_FORM } from "../ranking-weights.ts";
import type { Statements } from "./database.ts";
import type { Query } from "./query.ts";

/** What the forms of a word have in common, in each language; a word with digits, or a short one, is its own stem. */
export interface Stems {
  readonly fr: string;
  readonly en: string;
}

const MAX_CACHED = 100_000;
const cache = new Map<string, Stems>();

export function stemsOf(word: string): Stems {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const isPlain = word.length > 3 && !/\d/u.test(word);
  const stems = isPlain ? { fr: french(word), en: english(word) } : { fr: word, en: word };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, stems);
  return stems;
}

/** A word of a query and the forms of it that the vault has. */
export interface WordGroup {
  readonly word: string;
  /** Forms to look for, with how much each counts: the word as typed counts most. */
  readonly forms: ReadonlyMap<string, number>;
  /** Chunks that have one of them, about. */
  readonly chunks: number;
  /** The rarer, the more. */
  readonly weight: number;
}

/**
 * Looks up the forms of each word of a query.
 * @param total how many chunks there are
 */
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
  const add = (column: keyof Stems): void => {
    const sql = `SELECT word, chunks FROM words WHERE ${column} = ? ORDER BY chunks DESC LIMIT ${MAX_FORMS}`;
    for (const row of statements.get(sql).all(stems[column])) {
      const form = String(row["word"]);
      if (form !== word && (forms.has(form) || isStopWord(form))) continue;
      forms.set(form, form === word ? 1 : OTHER_FORM);
      chunks += Number(row["chunks"]);
    }
  };
  if (language !== "en") add("fr");
  if (language !== "fr") add("en");
  if (word.includes("oe")) forms.set(word.replaceAll("oe", "œ"), 1);
  const count = Math.min(total, chunks);
  return { word, forms, chunks: count, weight: weightOf(count, total) };
}

/** How much finding a word tells that so many chunks have. */
export function weightOf(chunks: number, total: number): number {
  return Math.log(1 + (total - chunks + 0.5) / (chunks + 0.5));
}
