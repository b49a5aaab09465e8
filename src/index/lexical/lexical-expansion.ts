import { isStopWord } from "../../text/language.ts";
import { editDistance } from "../../text/likeness.ts";
import { wordsOf } from "../../text/words.ts";
import { fuseRanks } from "../fusion.ts";
import {
  CORRECTED_WORD,
  EXPANDED_RANK,
  EXPANSION_CANDIDATES,
  FEEDBACK_AGREEMENT,
  FEEDBACK_RESULTS,
  FEEDBACK_WORDS,
  WORD_RANK_SMOOTHING,
} from "../ranking-weights.ts";
import type { SectionHit } from "../search-index.ts";
import type { Statements } from "./database.ts";
import type { Query } from "./query.ts";
import type { SearchContext, Searcher } from "./searcher.ts";
import { groupOf, weightOf, type WordGroup } from "./word-forms.ts";

/**
 * A wider search without a model: corrects misspelt words, then adds words that the best results have in common (RM3). What the plain
 * search found keeps its place unless the expanded one ranks it higher too.
 */
export function expandedHits(
  query: Query,
  context: SearchContext,
  searcher: Searcher,
  statements: Statements,
): SectionHit[] {
  const corrected = corrections(query, context.chunks, statements);
  const plain = searcher.find(query, context, EXPANSION_CANDIDATES, corrected);
  const words = feedback(query, plain.slice(0, FEEDBACK_RESULTS), context.chunks, statements);
  if (words.length === 0) return plain;
  const wider: Query = { ...query, words: [...query.words, ...words] };
  const expanded = searcher.find(wider, context, EXPANSION_CANDIDATES, corrected);
  return fuseWithExpanded(plain, expanded);
}

/** By rank in both, the plain one weighing more; scores stay those of the plain search where it has one. */
function fuseWithExpanded(
  plain: readonly SectionHit[],
  expanded: readonly SectionHit[],
): SectionHit[] {
  const byId = new Map([...expanded, ...plain].map((found) => [found.id, found]));
  const order = fuseRanks(
    [
      { items: plain.map(({ id }) => id), weight: 1 },
      { items: expanded.map(({ id }) => id), weight: EXPANDED_RANK },
    ],
    WORD_RANK_SMOOTHING,
  );
  // Scores must fall with the rank for the results of several queries to be compared.
  let ceiling = 1;
  return order.flatMap((id) => {
    const found = byId.get(id);
    if (found === undefined) return [];
    ceiling = Math.min(ceiling, found.hit.score);
    return [{ ...found, hit: { ...found.hit, score: ceiling } }];
  });
}

/** The most telling words that the best results share, without those of the query. */
function feedback(
  query: Query,
  best: readonly SectionHit[],
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
  const shared = [...scores].filter(
    ([, score]) => score > (best[0]?.hit.score ?? 0) * FEEDBACK_AGREEMENT,
  );
  return shared
    .map(([word, score]) => {
      const chunks = Number(
        statements.get("SELECT chunks FROM words WHERE word = ?").get(word)?.["chunks"] ?? 1,
      );
      return { word, value: score * weightOf(chunks, total) };
    })
    .toSorted((a, b) => b.value - a.value)
    .slice(0, FEEDBACK_WORDS)
    .map(({ word }) => word);
}

/** For words the vault has in no form: the nearest word it has, and its forms. */
function corrections(query: Query, total: number, statements: Statements): Map<string, WordGroup> {
  const corrected = new Map<string, WordGroup>();
  for (const word of query.words) {
    // A name with digits in it is meant as it is.
    if (word.length < 4 || /\d/u.test(word)) continue;
    if (groupOf(word, query.language, total, statements).chunks > 0) continue;
    const near = nearestWord(word, statements);
    if (near === null) continue;
    const group = groupOf(near, query.language, total, statements);
    corrected.set(word, { ...group, word, weight: group.weight * CORRECTED_WORD });
  }
  return corrected;
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
