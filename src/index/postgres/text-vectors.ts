import { eachTerm } from "../lexical/terms.ts";
import { FTS_COLUMN_WEIGHTS, PLACE_COLUMN_WEIGHTS } from "../ranking-weights.ts";

/** PostgreSQL takes no longer ones; nobody types them either. */
const LONGEST_WORD = 200;
/** Words of one chunk that are indexed: a vector must stay below a megabyte. */
const MOST_WORDS = 20_000;
const LAST_POSITION = 16_383;
/** Between two columns, so that no phrase goes from one to the next. */
const GAP = 10;

/** A column of a text: words in names and headings count most, then those of the text and the path, then what people do not read. */
export interface VectorColumn {
  readonly weight: "A" | "B" | "C" | "D";
  readonly normalised: string;
}

/** What a word counts in columns of the weights D, C, B and A, for PostgreSQL, whose highest weight is 1. */
function weightsOf(columns: typeof FTS_COLUMN_WEIGHTS): string {
  const { body, aside, path, heading } = columns;
  const shares = [body, aside, path, heading].map((weight) => (weight / heading).toFixed(3));
  return `{${shares.join(", ")}}`;
}

export const WEIGHTS = weightsOf(FTS_COLUMN_WEIGHTS);
export const PLACE_WEIGHTS = weightsOf(PLACE_COLUMN_WEIGHTS);

/** A text as PostgreSQL searches it: our words with their places, as the literal of a `tsvector`. */
export function vectorOf(columns: readonly VectorColumn[]): string {
  const places = new Map<string, string[]>();
  let [at, words] = [0, 0];
  for (const { weight, normalised } of columns) {
    eachTerm(normalised, (word) => {
      at += 1;
      words += 1;
      if (word.length > LONGEST_WORD || words > MOST_WORDS) return;
      const known = places.get(word);
      const place = `${Math.min(at, LAST_POSITION)}${weight}`;
      if (known === undefined) places.set(word, [place]);
      else known.push(place);
    });
    at += GAP;
  }
  return [...places].map(([word, where]) => `${quoted(word)}:${where.join(",")}`).join(" ");
}

/** A word in a literal. */
function quoted(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

function isWord(word: string): boolean {
  return word !== "" && word.length <= LONGEST_WORD;
}

/**
 * Matches one of some words; null when none can be searched for.
 * @param label only in columns of that weight (`A`), or words that begin so (`*`)
 */
export function anyOf(words: Iterable<string>, label: "" | ":A" | ":*" = ""): string | null {
  const terms = [...words].filter(isWord).map((word) => quoted(word) + label);
  return terms.length === 0 ? null : `(${terms.join(" | ")})`;
}

/** Matches all of some queries; null when one of them matches nothing. */
export function allOf(queries: readonly (string | null)[]): string | null {
  const known = queries.filter((query) => query !== null);
  return known.length < queries.length || known.length === 0 ? null : known.join(" & ");
}

/** Matches one of some queries. */
export function eitherOf(queries: readonly (string | null)[]): string | null {
  const known = queries.filter((query) => query !== null);
  return known.length === 0 ? null : `(${known.join(" | ")})`;
}

/** Matches words in a row. @param label only in columns of these weights */
export function phraseOf(words: readonly string[], label: "" | ":ABD" = ""): string | null {
  if (words.length === 0 || !words.every(isWord)) return null;
  return words.map((word) => quoted(word) + label).join(" <-> ");
}
