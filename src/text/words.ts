const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const ACCENTED = /[\u00e0-\u024f]/gu;
/** Anything beyond plain and accented Latin letters and usual punctuation, which needs full Unicode normalization. */
const OTHER = /[^\s -\u024f\u2000-\u206f\u20ac\u2190-\u21ff]/u;

/** Latin letters with an accent, and the plain letter of each: one for one, so that a folded text keeps its length. */
const plain = new Map<string, string>();
for (let code = 0xe0; code <= 0x24f; code += 1) {
  const letter = String.fromCharCode(code);
  plain.set(letter, letter.normalize("NFD").replace(MARKS, ""));
}

/** Lower case without accents: how texts are compared and indexed. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (OTHER.test(lower)) return lower.normalize("NFD").replace(MARKS, "").toLowerCase();
  return lower.replace(ACCENTED, (letter) => plain.get(letter) ?? letter);
}

/** The words of a text, folded. `l'API` gives `l` and `api`, `en-cours` gives `en` and `cours`. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}
