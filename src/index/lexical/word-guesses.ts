import { isStopWord } from "../../text/language.ts";
import { editDistance } from "../../text/likeness.ts";
import { isOneUnspaced } from "./terms.ts";
import type { Asking, WordCount } from "./word-questions.ts";

/** A shorter word is meant as it is: too many others are like it. */
const SHORTEST = 4;
/** Nobody mistypes a longer one; comparing takes as long as its length times that of another. */
const LONGEST = 60;
/** Each half of a word that is cut into two. */
const SHORTEST_HALF = 2;
const MOST_COMPOUNDS = 6;

/**
 * What a word that stands nowhere may have been meant to be: one with a typing mistake corrected; two that are written as one; or those
 * that it is a part of, as a letter of a script without spaces is of pairs. A word with digits is meant as it is.
 */
export function* guessesFor(word: string): Asking<string[]> {
  if (isOneUnspaced(word)) return yield* compoundsOf(word);
  if (word.length < SHORTEST || word.length > LONGEST || /\d/u.test(word)) return [];
  const near = yield* nearestWord(word);
  if (near !== null) return [near];
  const halves = yield* halvesOf(word);
  return halves.length > 0 ? halves : yield* compoundsOf(word);
}

/** The word of the vault that differs least, by letters changed, added, left out or swapped; the more common of two. */
function* nearestWord(word: string): Asking<string | null> {
  const most = word.length < 7 ? 1 : 2;
  // A wrong first letter is mostly one too many, or swapped with the second.
  const [first = "", second = first] = word;
  const starts = first === second ? [first] : [first, second];
  const range = { shortest: word.length - most, longest: word.length + most };
  const rows: WordCount[] = [];
  for (const start of starts) rows.push(...(yield { kind: "start", start, ...range }));
  let best: { word: string; distance: number; chunks: number } | null = null;
  for (const row of rows) {
    const candidate = row.word;
    const distance = editDistance(word, candidate, best?.distance ?? most);
    if (distance > (best?.distance ?? most)) continue;
    const { chunks } = row;
    if (best === null || distance < best.distance || chunks > best.chunks)
      best = { word: candidate, distance, chunks };
  }
  return best?.word ?? null;
}

/** Two words of the vault that are this one together, the pair whose rarer word is the most common. */
function* halvesOf(word: string): Asking<string[]> {
  const pairs: [string, string][] = [];
  for (let at = SHORTEST_HALF; at <= word.length - SHORTEST_HALF; at += 1)
    pairs.push([word.slice(0, at), word.slice(at)]);
  const telling = pairs.filter((words) => !words.some((half) => isStopWord(half)));
  const rows = yield { kind: "words", words: [...new Set(telling.flat())] };
  const counts = new Map(rows.map((row) => [row.word, row.chunks]));
  let best: { words: string[]; chunks: number } = { words: [], chunks: 0 };
  for (const words of telling) {
    const chunks = Math.min(...words.map((half) => counts.get(half) ?? 0));
    if (chunks > best.chunks) best = { words, chunks };
  }
  return best.words;
}

function* compoundsOf(word: string): Asking<string[]> {
  const rows = yield { kind: "containing", part: word, most: MOST_COMPOUNDS };
  return rows.map((row) => row.word);
}
