import { isStopWord, languageOfWords, type Language } from "../text/language.ts";
import { fold } from "../text/words.ts";
import type { AskedQuery } from "./search-index.ts";
import { comparable } from "./lexical/property-value.ts";
import { normalise, termsInQuery } from "./lexical/terms.ts";

/** A query as it is looked for. */
export interface Query {
  /** What was typed, folded, without quotes, exclusions and filters: a chunk that has it word for word ranks first. */
  readonly literal: string;
  /** The words that count, each once, in order. Stop words only when there is nothing else. */
  readonly words: readonly string[];
  /** How often each word was typed: what is said twice weighs twice. */
  readonly times: ReadonlyMap<string, number>;
  /** What to look for instead of a word that stands nowhere: `user name` for `username` written `userName`. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** Another way to write a word: `email` for the `mail` of `e-mail`. */
  readonly joined: ReadonlyMap<string, string>;
  /** Runs of words that stand together in the best results; in all of them when nothing else is asked for. */
  readonly phrases: readonly (readonly string[])[];
  readonly onlyPhrases: boolean;
  /** Runs of words; what has one of them does not answer. */
  readonly excluded: readonly (readonly string[])[];
  readonly filters: readonly Filter[];
  readonly language: Language | null;
}

/** `tag:x`, `path:x`, `key:value`: only what has it may answer; with `-` before it, only what has it not. */
export interface Filter {
  readonly key: string;
  /** As {@link comparable} gives it; of a path, folded. */
  readonly value: string;
  readonly isExcluded: boolean;
}

const PHRASE = /"([^"]+)"/gu;
const EXCLUDED = /(?:^|\s)-(?=[\p{L}\p{N}"])("[^"]*"|\S+)/gu;
/** Neither a time (`10:30`) nor an address (`https://…`); a key with spaces or signs stands in quotes. */
const FILTER = /(?<=^|\s)(-?)(?:"([^"]+)"|(\p{L}[\p{L}\p{N}_.-]*)):(?!\/\/)("[^"]+"|[^\s"]+)/gu;

/**
 * Reads `words "a phrase" -excluded key:value`.
 * @param hasKey whether files have such a key: one that none has is a word
 */
export function parseQuery(text: string, hasKey: HasKey = () => false): Query {
  const { kept, filters, excluded } = split(text, hasKey);
  const phrases = [...kept.matchAll(PHRASE)]
    .map(([, phrase]) => normalise(phrase ?? "").split(/\s/u))
    .map((words) => words.filter((word) => word !== ""))
    .filter((words) => words.length > 0);
  const { words: typed, parts, joined } = termsInQuery(kept);
  const all = [...new Set(typed)];
  const language = languageOfWords(all);
  const telling = all.filter((word) => !isStopWord(word, language));
  return {
    literal: fold(kept.replaceAll('"', " ").replaceAll(/\s+/gu, " ").trim()).replace(END, ""),
    words: telling.length > 0 ? telling : all,
    times: countsOf(typed),
    parts,
    joined,
    phrases,
    onlyPhrases:
      phrases.length > 0 && termsInQuery(kept.replaceAll(PHRASE, " ")).words.length === 0,
    excluded: excluded.flatMap(runsOf),
    filters: filters.map(({ filter }) => filter),
    language,
  };
}

/** Whether a query looks for words; another only lists what its filters let through. */
export function hasWords({ words }: Pick<Query, "words">): boolean {
  return words.length > 0;
}

/** Whether a query has neither words nor anything that may be a filter: `-draft` alone. */
export function looksForNothing(text: string): boolean {
  const query = parseQuery(text, () => true);
  return !hasWords(query) && query.filters.length === 0;
}

/** A query taken apart, for a model. */
export function askedIn(text: string, hasKey: HasKey): AskedQuery {
  const { kept, filters, excluded } = split(text, hasKey);
  const typed = kept.replaceAll(/\s+/gu, " ").trim();
  const exclusions = excluded.map((each) => `-${each}`);
  return {
    question: typed.replaceAll('"', " ").replaceAll(/\s+/gu, " ").trim(),
    words: [typed, ...exclusions].join(" ").trim(),
    conditions: [...filters.map((each) => each.typed), ...exclusions].join(" "),
  };
}

/** Keys that a query may filter by, besides those that every vault has. */
export function keysIn(text: string): Set<string> {
  const keys = new Set<string>();
  split(text, (key) => {
    keys.add(key);
    return false;
  });
  return keys;
}

/** Whether files have such a key. */
type HasKey = (key: string) => boolean;

interface SplitQuery {
  /** What is neither a filter nor excluded. */
  readonly kept: string;
  readonly filters: readonly { readonly typed: string; readonly filter: Filter }[];
  /** As they were typed, without their `-`. */
  readonly excluded: readonly string[];
}

function split(text: string, hasKey: HasKey): SplitQuery {
  const filters: { typed: string; filter: Filter }[] = [];
  const excluded: string[] = [];
  const kept = text
    .normalize("NFC")
    .replaceAll(FILTER, (whole: string, minus: string, ...found: (string | undefined)[]) => {
      const [quoted, plainKey, value = ""] = found;
      const name = fold(quoted ?? plainKey ?? "").trim();
      if (!FIXED_KEYS.has(name) && !hasKey(name)) return whole;
      const key = FIXED_KEYS.get(name) ?? name;
      const plain = value.replaceAll('"', "");
      const wanted = key === "path" ? fold(plain) : comparable(key, plain.replace(/^#/u, ""));
      filters.push({
        typed: whole,
        filter: { key, value: wanted, isExcluded: minus === "-" },
      });
      return " ";
    })
    .replaceAll(EXCLUDED, (_, word: string) => {
      excluded.push(word);
      return " ";
    });
  return { kept, filters, excluded };
}

/** The runs of words that an exclusion means: as it is typed, and as texts that are written so are stored. */
function runsOf(typed: string): string[][] {
  const isPhrase = typed.startsWith('"');
  const { words: asTyped, parts } = termsInQuery(typed);
  const runs = [asTyped, normalise(typed).split(/\s/u)].map((words) => {
    const some = words.filter((word) => word !== "");
    // The letter of an elision: `-l'API` means the word. One letter alone is no word to exclude by.
    return isPhrase ? some : some.slice(some.findIndex((word) => word.length > 1));
  });
  // What is written as one word and as several is excluded in both ways.
  if (asTyped.length === 1) runs.push([...(parts.get(asTyped[0] ?? "") ?? [])]);
  const told = runs.filter((words) => words.some((word) => word.length > 1));
  return [...new Map(told.map((words) => [words.join(" "), words])).values()];
}

/** Keys that every vault has, by the names they may be typed with. */
const FIXED_KEYS: ReadonlyMap<string, string> = new Map([
  ["tag", "tag"],
  ["tags", "tag"],
  ["path", "path"],
]);

/** The end of a sentence says nothing of what is looked for. */
const END = /\s*[?!.]+$/u;

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = Map.groupBy(words, (word) => word).entries();
  return new Map([...counts].map(([word, same]) => [word, same.length]));
}
