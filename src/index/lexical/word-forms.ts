import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";

import { isStopWord } from "../../text/language.ts";
import { CORRECTED_WORD, MAX_FORMS, OTHER_FORM } from "../ranking-weights.ts";
import type { Query } from "../query.ts";
import { guessesFor } from "./word-guesses.ts";
import type { Asking } from "./word-questions.ts";

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
  /** The words that others write instead of it, as `40 mg` for `40mg`: they count where they stand in a row. */
  readonly apart?: WordsApart;
  /** The rarer, the more. */
  readonly weight: number;
}

interface WordsApart {
  readonly words: readonly string[];
  /** Chunks that have all of them, at most. */
  readonly chunks: number;
}

/**
 * Looks up the forms of each word of a query. For a word that the vault has in no form: the words it is made of, or else those it was
 * probably meant to be.
 * @param total how many chunks there are
 */
export function* groupsOf(query: Query, total: number): Asking<WordGroup[]> {
  const groups: WordGroup[] = [];
  for (const word of query.words) groups.push(...(yield* groupsFor(word, query, total)));
  return groups;
}

function* groupsFor(word: string, query: Query, total: number): Asking<WordGroup[]> {
  const times = query.times.get(word) ?? 1;
  const group = yield* groupOf(word, query, total);
  const parts = query.parts.get(word) ?? [];
  if (group.chunks > 0) {
    const weighted = { ...group, weight: group.weight * times };
    // A number that is written in groups stands there as one, too.
    if (parts.length === 0 || NUMBER.test(word)) return [weighted];
    return [{ ...weighted, apart: yield* apartOf(parts) }];
  }
  const made: WordGroup[] = [];
  for (const part of parts) made.push(yield* groupOf(part, query, total));
  if (made.some(({ chunks }) => chunks > 0)) return made;
  const guesses: WordGroup[] = [];
  for (const guess of yield* guessesFor(word)) guesses.push(yield* groupOf(guess, query, total));
  if (guesses.length === 0) return [{ ...group, weight: group.weight * times }];
  return [{ ...mergeGroups(word, guesses, total), word }];
}

const NUMBER = /^\p{N}+$/u;

function* apartOf(words: readonly string[]): Asking<WordsApart> {
  const rows = yield { kind: "words", words };
  const counts = new Map(rows.map((row) => [row.word, row.chunks]));
  return { words, chunks: Math.min(...words.map((word) => counts.get(word) ?? 0)) };
}

/** One group for the words that another was perhaps meant to be. */
function mergeGroups(word: string, groups: readonly WordGroup[], total: number): WordGroup {
  const forms = new Map<string, number>([[word, 1]]);
  for (const group of groups) {
    for (const [form, share] of group.forms)
      forms.set(form, Math.max(forms.get(form) ?? 0, share * CORRECTED_WORD));
  }
  const chunks = Math.min(
    total,
    groups.reduce((sum, group) => sum + group.chunks, 0),
  );
  return { word, forms, chunks, weight: weightOf(chunks, total) * CORRECTED_WORD };
}

function* groupOf(
  word: string,
  { language, joined }: Pick<Query, "language" | "joined">,
  total: number,
): Asking<WordGroup> {
  const stems = stemsOf(word);
  const forms = new Map<string, number>([[word, 1]]);
  const seen = new Set<string>();
  let chunks = 0;
  for (const column of languagesOf(language)) {
    const rows = yield { kind: "stem", column, stem: stems[column], most: MAX_FORMS };
    for (const row of rows) {
      if (seen.has(row.word) || (row.word !== word && isStopWord(row.word))) continue;
      seen.add(row.word);
      forms.set(row.word, row.word === word ? 1 : OTHER_FORM);
      chunks += row.chunks;
    }
  }
  const others = withOrWithoutArticle(word);
  const known = others.length === 0 ? [] : yield { kind: "words", words: others };
  for (const row of known) {
    forms.set(row.word, OTHER_FORM);
    chunks += row.chunks;
  }
  if (word.includes("oe")) forms.set(word.replaceAll("oe", "œ"), 1);
  const other = joined.get(word);
  if (other !== undefined) forms.set(other, 1);
  // While files are loaded, the table lacks the words that came last.
  if (chunks === 0) {
    const [row] = yield { kind: "uncounted", word };
    chunks = row?.chunks ?? 0;
  }
  const count = Math.min(total, chunks);
  return { word, forms, chunks: count, weight: weightOf(count, total) };
}

/** The languages whose forms a word of a query may have. */
export function languagesOf(language: Query["language"]): readonly (keyof Stems)[] {
  return [
    ...(language === "en" ? [] : (["fr"] as const)),
    ...(language === "fr" ? [] : (["en"] as const)),
  ];
}

const ARABIC = /^\p{Script=Arabic}+$/u;
/** The article and the small words that Arabic writes together with it. */
const ARTICLES = ["\u0627\u0644", "\u0648\u0627\u0644", "\u0628\u0627\u0644", "\u0644\u0644"];
const SHORTEST_NOUN = 3;

/** An Arabic noun in the ways it is written with and without its article, other than the one given. */
function withOrWithoutArticle(word: string): string[] {
  if (!ARABIC.test(word)) return [];
  const article = ARTICLES.find(
    (each) => word.startsWith(each) && word.length >= each.length + SHORTEST_NOUN,
  );
  const noun = word.slice(article?.length ?? 0);
  return [noun, ...ARTICLES.map((each) => each + noun)].filter((form) => form !== word);
}

/** How much finding a word tells that so many chunks have. */
export function weightOf(chunks: number, total: number): number {
  return Math.log(1 + (total - chunks + 0.5) / (chunks + 0.5));
}
