import { isStopWord, languageOfWords, type Language } from "../../text/language.ts";
import { fold } from "../../text/words.ts";
import { normalise, termsInQuery } from "./terms.ts";

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
  readonly excluded: readonly string[];
  readonly filters: readonly Filter[];
  readonly language: Language | null;
}

/** `tag:x`, `path:x`, `key:value`: only what has it may answer; with `-` before it, only what has it not. */
export interface Filter {
  readonly key: string;
  /** Folded. */
  readonly value: string;
  readonly isExcluded: boolean;
}

const PHRASE = /"([^"]+)"/gu;
const EXCLUDED = /(?:^|\s)-(?=[\p{L}\p{N}"])("[^"]*"|\S+)/gu;
/** Neither a time (`10:30`) nor an address (`https://…`). */
const FILTER = /(?<=^|\s)(-?)(\p{L}[\p{L}\p{N}_-]*):(?!\/\/)("[^"]+"|[^\s"]+)/gu;

/**
 * Reads `words "a phrase" -excluded key:value`.
 * @param hasKey whether files have such a key: one that none has is a word
 */
export function parseQuery(text: string, hasKey: (key: string) => boolean = () => false): Query {
  const filters: Filter[] = [];
  const excluded: string[] = [];
  const kept = text
    .normalize("NFC")
    .replaceAll(FILTER, (whole, minus: string, key: string, value: string) => {
      const name = fold(key);
      if (!FIXED_KEYS.has(name) && !hasKey(name)) return whole;
      filters.push({
        key: FIXED_KEYS.get(name) ?? name,
        value: fold(value.replaceAll('"', "").replace(name === "path" ? "" : /^#/u, "")),
        isExcluded: minus === "-",
      });
      return " ";
    })
    .replaceAll(EXCLUDED, (_, word: string) => {
      excluded.push(...termsInQuery(word).words.filter((each) => each.length > 1));
      return " ";
    });
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
    excluded,
    filters,
    language,
  };
}

/** Keys that every vault has, by the names they may be typed with. */
const FIXED_KEYS: ReadonlyMap<string, string> = new Map([
  ["tag", "tag"],
  ["tags", "tag"],
  ["path", "path"],
]);

/** The end of a sentence says nothing of what is looked for. */
const END = /\s*[?!.]+$/u;

/** What was typed, for a model: without the exclusions and the quotes around phrases. */
export function plainQuestion(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(EXCLUDED, " ")
    .replaceAll('"', " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = Map.groupBy(words, (word) => word).entries();
  return new Map([...counts].map(([word, same]) => [word, same.length]));
}
