import { isStopWord } from "../../text/language.ts";
import { editDistance } from "../../text/likeness.ts";
import { wordsOf } from "../../text/words.ts";
import { groupOf, weightOf, type Filter, type WordGroup } from "./candidates.ts";
import type { Statements } from "./database.ts";
import type { Query } from "./query.ts";
import type { Corpus, Found, Searcher } from "./searcher.ts";

const FEEDBACK = 6;
const EXPANSION = 8;
/** More than a plain search looks at: time matters less here. */
const CANDIDATES = 200;
/** What the wider search's ranks count beside the first one's: it settles what is nearly equal, and adds what the first lacks. */
const WIDER = 0.06;

export interface DeepParts {
  readonly filter: Filter;
  readonly corpus: Corpus;
  readonly searcher: Searcher;
  readonly statements: Statements;
}

/**
 * A wider search without a model: words near to misspelt ones, then words that the best results have in common (RM3). What the plain
 * search found keeps its place unless the wider one agrees on better.
 */
export function deepHits(query: Query, parts: DeepParts): Found[] {
  const { filter, corpus, searcher, statements } = parts;
  const repaired = repairs(query, corpus.chunks, statements);
  const first = searcher.find(query, filter, corpus, CANDIDATES, repaired);
  const words = feedback(query, first.slice(0, FEEDBACK), corpus.chunks, statements);
  if (words.length === 0) return [...first];
  const wider: Query = { ...query, words: [...query.words, ...words] };
  const second = searcher.find(wider, filter, corpus, CANDIDATES, repaired);
  return fuseByRank(first, second);
}

/** Reciprocal ranks of two lists, the first weighing more; scores stay those of the plain search where it has one. */
function fuseByRank(first: readonly Found[], second: readonly Found[]): Found[] {
  const ranks = new Map<number, { found: Found; value: number }>();
  for (const [list, weight] of [
    [first, 1],
    [second, WIDER],
  ] as const) {
    for (const [rank, found] of list.entries()) {
      const known = ranks.get(found.id);
      const value = weight / (60 + rank);
      if (known === undefined) ranks.set(found.id, { found, value });
      else known.value += value;
    }
  }
  const sorted = [...ranks.values()].toSorted((a, b) => b.value - a.value);
  // Scores must fall with the rank for the results of several queries to be compared.
  let ceiling = 1;
  return sorted.map(({ found }) => {
    ceiling = Math.min(ceiling, found.hit.score);
    return { ...found, hit: { ...found.hit, score: ceiling } };
  });
}

/** The words that tell most of the best results, less those asked for. */
function feedback(
  query: Query,
  best: readonly Found[],
  total: number,
  statements: Statements,
): string[] {
  const asked = new Set(query.words);
  const scores = new Map<string, number>();
  for (const { hit, text } of best) {
    const words = wordsOf(text).filter(
      (word) => word.length > 3 && !isStopWord(word) && !/^\d+$/u.test(word),
    );
    for (const word of new Set(words)) {
      if (!asked.has(word)) scores.set(word, (scores.get(word) ?? 0) + hit.score);
    }
  }
  const shared = [...scores].filter(([, score]) => score > (best[0]?.hit.score ?? 0) * 1.2);
  return shared
    .map(([word, score]) => {
      const chunks = Number(
        statements.get("SELECT chunks FROM words WHERE word = ?").get(word)?.["chunks"] ?? 1,
      );
      return { word, value: score * weightOf(chunks, total) };
    })
    .toSorted((a, b) => b.value - a.value)
    .slice(0, EXPANSION)
    .map(({ word }) => word);
}

/** How much a guessed word counts beside one that was typed. */
const GUESSED = 0.5;

/** For words the vault has in no form: the nearest word it has, and its forms. */
function repairs(query: Query, total: number, statements: Statements): Map<string, WordGroup> {
  const repaired = new Map<string, WordGroup>();
  for (const word of query.words) {
    // A name with digits in it is meant as it is.
    if (word.length < 4 || /\d/u.test(word)) continue;
    if (groupOf(word, query.language, total, statements).chunks > 0) continue;
    const near = nearestWord(word, statements);
    if (near === null) continue;
    const group = groupOf(near, query.language, total, statements);
    repaired.set(word, { ...group, word, weight: group.weight * GUESSED });
  }
  return repaired;
}

/** The word of the vault that differs least, by letters changed, added, left out or swapped; the more common of two. */
function nearestWord(word: string, statements: Statements): string | null {
  const most = word.length < 7 ? 1 : 2;
  const first = word.slice(0, 1);
  const rows = statements
    .get(
      "SELECT word, chunks FROM words WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?",
    )
    .all(first, `${first}\u{10ffff}`, word.length - most, word.length + most);
  let best: { word: string; distance: number; chunks: number } | null = null;
  for (const row of rows) {
    const candidate = String(row["word"]);
    const distance = editDistance(word, candidate, best?.distance ?? most);
    if (distance > (best?.distance ?? most)) continue;
    const chunks = Number(row["chunks"]);
    if (best === null || distance < best.distance || chunks > best.chunks)
      best = { word: candidate, distance, chunks };
  }
  return best?.word ?? null;
}
