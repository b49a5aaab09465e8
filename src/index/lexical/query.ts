import { isStopWord, languageOfWords, type Language } from "../../text/language.ts";
import { fold, wordsOf } from "../../text/words.ts";

/** A query as it is looked for. */
export interface Query {
  /** What was typed, folded, without quotes and exclusions: a chunk that has it word for word ranks first. */
  readonly literal: string;
  /** The words that count, each once, in order. Stop words only when there is nothing else. */
  readonly words: readonly string[];
  /** How often each word was typed: what is said twice weighs twice. */
  readonly times: ReadonlyMap<string, number>;
  /** Runs of words that stand together in the best results; in all of them when nothing else is asked for. */
  readonly phrases: readonly (readonly string[])[];
  readonly onlyPhrases: boolean;
  readonly excluded: readonly string[];
  readonly language: Language | null;
}

const PHRASE = /"([^"]+)"/gu;
const EXCLUDED = /(?:^|\s)-(?=[\p{L}\p{N}"])("[^"]*"|\S+)/gu;

/** Reads `words "a phrase" -excluded`. */
export function parseQuery(text: string): Query {
  const excluded: string[] = [];
  const kept = text.normalize("NFC").replaceAll(EXCLUDED, (_, word: string) => {
    excluded.push(...wordsOf(word).filter((each) => each.length > 1));
    return " ";
  });
  const phrases = [...kept.matchAll(PHRASE)]
    .map(([, phrase]) => wordsOf(phrase ?? ""))
    .filter((words) => words.length > 0);
  const typed = wordsOf(kept);
  const all = [...new Set(typed)];
  const language = languageOfWords(all);
  const telling = all.filter((word) => !isStopWord(word, language));
  return {
    literal: fold(kept.replaceAll('"', " ").replaceAll(/\s+/gu, " ").trim()),
    words: telling.length > 0 ? telling : all,
    times: countsOf(typed),
    phrases,
    onlyPhrases: phrases.length > 0 && wordsOf(kept.replaceAll(PHRASE, " ")).length === 0,
    excluded,
    language,
  };
}

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
