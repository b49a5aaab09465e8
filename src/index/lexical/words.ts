const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const ACCENTED = /[\u00e0-\u024f]/gu;
/** Anything beyond plain and accented Latin letters and usual punctuation: it takes the long way. */
const OTHER = /[^\s -\u024f\u2000-\u206f\u20ac\u2190-\u21ff]/u;

/** Latin letters with an accent, by themselves: one letter each, so that a folded text keeps its length. */
const plain = new Map<string, string>();
for (let code = 0xe0; code <= 0x24f; code += 1) {
  const letter = String.fromCharCode(code);
  plain.set(letter, letter.normalize("NFD").replace(MARKS, ""));
}

/** Lower case without accents, as the index keeps words. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (OTHER.test(lower)) return lower.normalize("NFD").replace(MARKS, "").toLowerCase();
  return lower.replace(ACCENTED, (letter) => plain.get(letter) ?? letter);
}

/** The words of a text, folded. `l'API` gives `l` and `api`, `en-cours` gives `en` and `cours`. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

// Words that say nothing alone: they are looked for only when nothing else is, or inside a phrase.
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

/** @param language only the small words of that one: `d` says nothing in French, and is a vitamin in English */
export function isStopWord(word: string, language: "fr" | "en" | null = null): boolean {
  return (language !== "en" && french.has(word)) || (language !== "fr" && english.has(word));
}

/** Which language a few words are in, as far as their small words tell; null when they do not. */
export function languageOfWords(words: readonly string[]): "fr" | "en" | null {
  const fr = words.filter((word) => french.has(word) && !english.has(word)).length;
  const en = words.filter((word) => english.has(word) && !french.has(word)).length;
  if (fr === en) return null;
  return fr > en ? "fr" : "en";
}
