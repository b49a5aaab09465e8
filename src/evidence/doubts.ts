import type { Doubt } from "./contract.ts";
import { factsIn, type SourceFacts } from "./facts-in.ts";

const MARK = /\[(\d+(?:\s*[,;–-]\s*\d+)*)\]/gu;
const LATE_MARKS = /([.!?…](?:\s?[»”)]|["'])*)((?:\s*\[\d[\d\s,;–-]*\])+)/gu;
const SENTENCE_END = /(?<=[.!?…](?:\s?[»”)]|["'])*)\s+(?=[^\p{Ll}\s»”)])/u;
/** A full stop that ends no sentence. */
const ABBREVIATED =
  /(?:^|[\s(])(?:\p{Lu}|[Mm]rs?|[Mm]me|[Mm]lle|[Dd]r|[Ss]t|[Nn]o|cf|vs|env|approx|e\.g|i\.e|p)\.$/u;
/** Fewer words say nothing that a source could bear out: "Yes." */
const FEWEST_WORDS = 3;

/** The sentences of an overview, each with its marks at its end. */
export function sentencesOf(overview: string): string[] {
  const sentences: string[] = [];
  for (const line of overview.split("\n")) {
    const plain = line.replace(/^\s*(?:[-*+>]|\d{1,2}[.)]|#{1,6})\s+/u, "").trim();
    let isOpen = false;
    for (const part of plain.replaceAll(LATE_MARKS, "$2$1").split(SENTENCE_END)) {
      if (part === "") continue;
      if (isOpen) sentences.push(`${sentences.pop() ?? ""} ${part}`);
      else sentences.push(part);
      isOpen = ABBREVIATED.test(part);
    }
  }
  return sentences;
}

/** The numbers that a sentence is marked with: `[1]`, `[1, 3]`, `[1-3]`. */
export function marksOf(sentence: string): number[] {
  return [...sentence.matchAll(MARK)].flatMap(([, inside = ""]) =>
    inside.split(/[,;]/u).flatMap((part) => {
      const [first = 0, last = first] = part.split(/[–-]/u).map(Number);
      return Array.from(
        { length: Math.max(0, Math.min(last - first, 99) + 1) },
        (_, at) => first + at,
      );
    }),
  );
}

/**
 * The sentences of an overview without a mark, and those with figures, dates or names that do not stand in the lines they are marked with.
 * A sentence without a mark is compared with all sources.
 * @param sources by their marks
 */
export function doubtsIn(overview: string, sources: ReadonlyMap<number, SourceFacts>): Doubt[] {
  if (sources.size === 0) return [];
  return sentencesOf(overview).flatMap((sentence) => {
    const plain = sentence
      .replaceAll(MARK, "")
      .replaceAll(/\s+/gu, " ")
      .replace(/ ([.,;:!?…])/gu, "$1")
      .trim();
    const said = plain.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    if (said < FEWEST_WORDS || plain.endsWith("?")) return [];
    const cited = marksOf(sentence).flatMap((mark) => sources.get(mark) ?? []);
    const doubts: Doubt[] = [];
    if (cited.length === 0) doubts.push({ sentence: plain, kind: "no_mark", values: [] });
    const values = notIn(plain, cited.length === 0 ? [...sources.values()] : cited);
    if (values.length > 0) doubts.push({ sentence: plain, kind: "not_in_source", values });
    return doubts;
  });
}

function notIn(sentence: string, sources: readonly SourceFacts[]): string[] {
  const { dates, figures, names } = factsIn(sentence);
  const missing = [
    ...figures.filter((figure) => !sources.some((source) => source.hasFigure(figure))),
    ...dates.filter((date) => !sources.some((source) => source.hasDate(date))),
  ].map(({ written }) => written);
  const unnamed = names.filter((name) => !sources.some((source) => source.hasName(name)));
  return [...new Set([...missing, ...unnamed])];
}
