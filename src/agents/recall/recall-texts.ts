import type { Doubt, ReplacedBy } from "../../evidence/contract.ts";
import type { Language } from "../../text/language.ts";

/*
 * What the program itself says of the sources of an answer, in the language of the question.
 */

/** A source that another made untrue; `by` is a mark, or a place. */
interface ReplacedSource extends Pick<ReplacedBy, "date" | "value"> {
  readonly mark: number;
  readonly by: string;
}

const ENGLISH = {
  noMarks: "No sentence names its source.",
  noMark: (sentences: readonly string[]) =>
    `No source named: ${sentences.map((sentence) => `“${sentence}”`).join(" ")}`,
  notInSource: (values: readonly string[]) => `Not in the cited lines: ${values.join(" · ")}`,
  replaced: ({ mark, date, by }: ReplacedSource) =>
    `[${mark}] no longer holds: replaced${date === null ? "" : ` on ${date}`} by ${by}.`,
  before: ({ mark, date, value, by }: ReplacedSource) =>
    `Before${date === null ? "" : ` ${date}`}: ${value === null ? "" : `${value} `}[${mark}]. Now: ${by}.`,
};

const FRENCH: typeof ENGLISH = {
  noMarks: "Aucune phrase ne nomme sa source.",
  noMark: (sentences) =>
    `Sans source nommée : ${sentences.map((sentence) => `« ${sentence} »`).join(" ")}`,
  notInSource: (values) => `Pas dans les lignes citées : ${values.join(" · ")}`,
  replaced: ({ mark, date, by }) =>
    `[${mark}] ne tient plus : remplacé${date === null ? "" : ` le ${date}`} par ${by}.`,
  before: ({ mark, date, value, by }) =>
    `Avant${date === null ? "" : ` le ${date}`} : ${value === null ? "" : `${value} `}[${mark}]. Maintenant : ${by}.`,
};

export function recallTexts(language: Language): typeof ENGLISH {
  return language === "fr" ? FRENCH : ENGLISH;
}

const LONGEST_SENTENCE = 90;

/** What an overview says that its sources do not bear out: a line for sentences without a mark, and one for what is not in the sources. */
export function doubtLines(
  doubts: readonly Doubt[],
  hasMarks: boolean,
  language: Language,
): string[] {
  const texts = recallTexts(language);
  const unmarked = doubts.filter(({ kind }) => kind === "no_mark");
  const sentences = unmarked.map(({ sentence }) => shortened(sentence));
  const values = new Set(doubts.flatMap((doubt) => doubt.values));
  return [
    ...(unmarked.length === 0 ? [] : [hasMarks ? texts.noMark(sentences) : texts.noMarks]),
    ...(values.size === 0 ? [] : [texts.notInSource([...values])]),
  ];
}

function shortened(sentence: string): string {
  return sentence.length <= LONGEST_SENTENCE
    ? sentence
    : `${sentence.slice(0, LONGEST_SENTENCE).replace(/\s+\S*$/u, "")}…`;
}

// "What was", "how much did it use to": the person asks for what no longer holds.
const ASKS_FOR_OLD =
  /(?<!\p{L})(?:was|were|used to|before|previous(?:ly)?|former(?:ly)?|old|earlier|original(?:ly)?|était|étaient|avait|avant|anciens?|anciennes?|précédent(?:e|s|es)?|auparavant|jusqu)(?!\p{L})/iu;

/** Whether a question asks for what was true before. */
export function asksForOld(question: string): boolean {
  return ASKS_FOR_OLD.test(question.normalize("NFC"));
}
