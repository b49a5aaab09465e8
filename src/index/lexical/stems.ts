import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";

/** What a word's forms have in common, in each language; a word with digits, or a short one, is its own stem. */
export interface Stems {
  readonly fr: string;
  readonly en: string;
}

const KEPT = 100_000;
const cache = new Map<string, Stems>();

export function stemsOf(word: string): Stems {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const isPlain = word.length > 3 && !/\d/u.test(word);
  const stems = isPlain ? { fr: french(word), en: english(word) } : { fr: word, en: word };
  if (cache.size >= KEPT) cache.clear();
  cache.set(word, stems);
  return stems;
}
