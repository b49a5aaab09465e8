import { wordsOf as foldedWords } from "../../text/words.ts";

/** The words of a text with ligatures taken apart, and without the private characters that fonts of icons use. */
export function wordsOf(text: string): string[] {
  return foldedWords(text.normalize("NFKC").replaceAll(/\p{Co}/gu, " "));
}

/**
 * How much of the words of one text another has, from 0 to 1. A word that the other writes with something else in one, as at a line's
 * end, counts as there.
 */
export function recall(expected: string, found: string): number {
  const words = wordsOf(expected);
  if (words.length === 0) return 1;
  const foundWords = wordsOf(found);
  const counts = new Map<string, number>();
  for (const word of foundWords) counts.set(word, (counts.get(word) ?? 0) + 1);
  const run = foundWords.join("");
  const missing = words.filter((word) => {
    const left = counts.get(word) ?? 0;
    if (left > 0) counts.set(word, left - 1);
    return left === 0 && !(counts.get(word) === undefined && run.includes(word));
  });
  return 1 - missing.length / words.length;
}
