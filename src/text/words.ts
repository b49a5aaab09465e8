const MARKS = /\p{M}/gu;
/**
 * Letters that only a mark tells from others, and that nobody leaves it out of: voiced kana (バス is a bus, ハス a lotus), and й, ї, ў, ѓ, ќ. Not ё,
 * which is mostly written е, nor marks of stress.
 */
const LETTERS_WITH_MARK =
  /[\u3041-\u30ff][\u3099\u309a]|[\u0438\u0443]\u0306|\u0456\u0308|[\u0433\u043a]\u0301/gu;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const ACCENTED = /[\u00b5\u00e0-\u024f]/gu;
/** Anything beyond plain and accented Latin letters and usual punctuation, which needs full Unicode normalization. */
const OTHER = /[^\s -\u024f\u2000-\u206f\u20ac\u2190-\u21ff]/u;

/** Other shapes of a letter, which FTS5 takes for that letter: the counts of words must agree with it. */
const SHAPES: Readonly<Record<string, string>> = {
  "\u00b5": "\u03bc",
  "\u017f": "s",
  "\u03c2": "\u03c3",
  "\u03d0": "\u03b2",
  "\u03d1": "\u03b8",
  "\u03d5": "\u03c6",
  "\u03d6": "\u03c0",
  "\u03f0": "\u03ba",
  "\u03f1": "\u03c1",
  "\u03f5": "\u03b5",
};
const SHAPE = new RegExp(`[${Object.keys(SHAPES).join("")}]`, "gu");

/** Latin letters with an accent, and the plain letter of each: one for one, so that a folded text keeps its length. */
const plain = new Map<string, string>();
for (let code = 0xe0; code <= 0x24f; code += 1) {
  const letter = String.fromCharCode(code);
  plain.set(letter, letter.normalize("NFD").replace(MARKS, ""));
}
for (const [shape, letter] of Object.entries(SHAPES)) plain.set(shape, letter);

/** Lower case without accents, but for those that make another letter: how texts are compared and indexed. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (OTHER.test(lower)) {
    const letters = lower
      .normalize("NFD")
      .replace(LETTERS_WITH_MARK, (letter) => letter.normalize("NFC"))
      .replace(MARKS, "")
      .toLowerCase();
    return letters.replace(SHAPE, (shape) => SHAPES[shape] ?? shape);
  }
  return lower.replace(ACCENTED, (letter) => plain.get(letter) ?? letter);
}

/** The words of a text, folded. `l'API` gives `l` and `api`, `en-cours` gives `en` and `cours`. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}
