import { foldText } from "../tree/fuzzy.ts";
import { withoutFilters } from "./query-filters.ts";

/** A piece of text, and whether it is one of the words that were looked for. */
export interface WordPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Endings that a word may have or lack and still be the word that was meant. */
const LONGEST_ENDING = 3;
const SHORTEST_WORD = 2;

/** The words of a query, folded; without those that are excluded. */
export function queryWords(query: string): string[] {
  const wanted = withoutFilters(query).replaceAll(/(?:^|\s)-\S+/gu, " ");
  const words = foldText(wanted).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length >= SHORTEST_WORD))];
}

/** Marks the words of a query in a text, in any case, accents or not, in near forms. */
export function markWords(text: string, words: readonly string[]): WordPiece[] {
  if (words.length === 0) return [{ text, isMatch: false }];
  const folded = foldText(text);
  const pieces: WordPiece[] = [];
  let end = 0;
  for (const found of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    const [word] = found;
    if (!words.some((wanted) => isNear(word, wanted))) continue;
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), isMatch: false });
    end = found.index + word.length;
    pieces.push({ text: text.slice(found.index, end), isMatch: true });
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}

/** The same word, a beginning of it as it is typed, or another form of it. */
function isNear(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  if (wanted.length < 3) return false;
  if (word.startsWith(wanted)) return true;
  const stem = Math.max(4, wanted.length - LONGEST_ENDING);
  return (
    wanted.length > stem &&
    word.length - stem <= LONGEST_ENDING &&
    word.startsWith(wanted.slice(0, stem))
  );
}
