import { wordsOf } from "./words.ts";

export type Language = "fr" | "en";

// Stop words, folded: a search looks for them only when a query has no others, or inside a phrase.
const FRENCH = `a ai ainsi alors apres as au aucun aussi autre aux avait avant avec avoir c ca ce cela celle celui ces cet cette ceux
  chez ci combien comme comment d dans de des depuis deux dois doit doivent donc dont du elle elles en encore est et es etaient etait ete etes etre eu
  eux fait faut faire furent fut il ils j je l la le les leur leurs lors lui m ma mais me meme mes moi mon n ne ni nos notre nous on
  ont ou par parce pas pendant peu peut peuvent peux plus pour pouvez pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera
  ses si soit son sommes sont sous suis sur t ta te tes toi ton tous tout toute toutes tres tu un une vers vos votre vous y`;
const ENGLISH = `about after all also am an and any are as at be because been before being between both but by can could did do does doing for
  from had has have having he her here hers him his how i if in into is it its just let many may me might more most much must my no nor not of off on once
  only or other our out over own same she should so some such than that the their them then there these they this those through
  to too under until up upon us very was we were what when where which while who whom whose why will with within without would you your`;

const french = new Set(FRENCH.split(/\s+/u));
const english = new Set(ENGLISH.split(/\s+/u));

/** @param language only the stop words of that one: `d` says nothing in French, and is a vitamin in English */
export function isStopWord(word: string, language: Language | null = null): boolean {
  return (language !== "en" && french.has(word)) || (language !== "fr" && english.has(word));
}

/**
 * The language of folded words, by the stop words that only one language has; null when they do not decide.
 * @param signsOfFrench other reasons to call it French, as a number of words
 */
export function languageOfWords(words: readonly string[], signsOfFrench = 0): Language | null {
  const fr = words.filter((word) => french.has(word) && !english.has(word)).length + signsOfFrench;
  const en = words.filter((word) => english.has(word) && !french.has(word)).length;
  if (fr === en) return null;
  return fr > en ? "fr" : "en";
}

/** Long enough to tell the language of any text. */
const SAMPLE_LENGTH = 4000;
/** French words that English texts have too: the article, and what is left of `it's`, `don't`, `I'd`. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["a", "c", "d", "m", "s", "t"]);
const FRENCH_LETTERS = /[\p{L}\p{M}]*[àâçéèêëîïôùûœ][\p{L}\p{M}]*/giu;

/** The language of a text, by its stop words and accented letters; null when they do not decide. */
export function languageOfText(text: string): Language | null {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const words = wordsOf(sample).filter((word) => !AMBIGUOUS.has(word));
  const accented = sample.match(FRENCH_LETTERS)?.length ?? 0;
  return languageOfWords(words, accented / 2);
}
