import { isStopWord } from "../text/language.ts";
import { fold, wordsOf } from "../text/words.ts";

/** What a sentence says that can be looked up in its sources, each with the words it is written in. */
export interface Facts {
  readonly dates: readonly StatedDate[];
  readonly figures: readonly StatedFigure[];
  readonly names: readonly string[];
}

/** A day, or a month. */
export interface StatedDate {
  readonly written: string;
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

export interface StatedFigure {
  readonly written: string;
  readonly value: number;
}

const MONTHS = [
  ["january", "janvier", "jan"],
  ["february", "fevrier", "feb", "fevr"],
  ["march", "mars", "mar"],
  ["april", "avril", "apr", "avr"],
  ["may", "mai"],
  ["june", "juin", "jun"],
  ["july", "juillet", "jul", "juil"],
  ["august", "aout", "aug"],
  ["september", "septembre", "sep", "sept"],
  ["october", "octobre", "oct"],
  ["november", "novembre", "nov"],
  ["december", "decembre", "dec"],
] as const;
const MONTH_OF: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, at) => names.map((name) => [name, at + 1] as const)),
);
const WEEKDAYS = new Set(
  "monday tuesday wednesday thursday friday saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche".split(
    " ",
  ),
);

const ISO = /\b(\d{4})-(\d\d)(?:-(\d\d))?\b/gu;
const SLASHED = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/gu;
const MONTH = String.raw`(\p{L}{3,9})\.?`;
const DAY_FIRST = new RegExp(
  String.raw`\b(\d{1,2})(?:st|nd|rd|th|er)?\s+(?:of\s+)?${MONTH}(?:,?\s+(\d{4}))?(?!\p{L})`,
  "gu",
);
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})(\p{Lu}\p{L}{2,8})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(\d{4}))?`,
  "gu",
);
const MONTH_ONLY = new RegExp(String.raw`(?<!\p{L})${MONTH}\s+(\d{4})\b`, "gu");
const FIGURE = /\d(?:[\d.,'’\u00a0\u202f]|\s(?=\d{3}(?!\d)))*/gu;
const NAME = /(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]+(?:[-’'][\p{L}\p{M}\p{N}]+)*/gu;

/** The dates, figures and names of a text. Names are words with a capital that do not begin a sentence. */
export function factsIn(text: string): Facts {
  const { dates, rest } = takeDates(text.normalize("NFC"));
  const figures = [...rest.matchAll(FIGURE)].flatMap(([written]) => {
    const plain = written.replace(/[.,'’\s]+$/u, "");
    const value = numberOf(plain);
    return value === null ? [] : [{ written: plain, value }];
  });
  const names = [...rest.matchAll(NAME)]
    .filter(({ index }) => !beginsSentence(rest, index))
    .map(([written]) => written.replace(/['’]s$/u, ""))
    .filter((written) => !isOrdinary(written));
  return { dates, figures, names: [...new Set(names)] };
}

/** Takes the dates out, so that their digits are no figures. */
function takeDates(text: string): { dates: StatedDate[]; rest: string } {
  const dates: StatedDate[] = [];
  const take = (
    pattern: RegExp,
    read: (found: readonly (string | undefined)[]) => Omit<StatedDate, "written"> | null,
  ) => {
    rest = rest.replaceAll(pattern, (written: string, ...found: (string | undefined)[]) => {
      const date = read(found);
      if (date === null || !isDate(date)) return written;
      dates.push({ written: written.replace(/[\s.,]+$/u, ""), ...date });
      return " ".repeat(written.length);
    });
  };
  let rest = text;
  take(ISO, ([year, month, day]) => dateOf(year, Number(month), day));
  take(SLASHED, ([day, month, year]) => dateOf(year, Number(month), day));
  take(DAY_FIRST, ([day, month, year]) => dateOf(year, monthOf(month), day));
  take(MONTH_FIRST, ([month, day, year]) => dateOf(year, monthOf(month), day));
  take(MONTH_ONLY, ([month, year]) => dateOf(year, monthOf(month)));
  return { dates, rest };
}

function dateOf(year: string | undefined, month: number | null, day?: string) {
  if (month === null) return null;
  const [y, d] = [year, day].map((part) => (part === undefined ? null : Number(part)));
  return { year: y ?? null, month, day: d ?? null };
}

function isDate({ month, day }: Omit<StatedDate, "written">): boolean {
  return month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= 31));
}

function monthOf(name: string | undefined): number | null {
  return MONTH_OF.get(fold(name ?? "")) ?? null;
}

/** `4,280`, `4 280`, `4.280` are one number, `4.28` and `4,28` another. */
function numberOf(written: string): number | null {
  const plain = written.replaceAll(/['’\s]/gu, "");
  const grouped = plain.replaceAll(/[.,](?=\d{3}(?:\D|$))/gu, "");
  const value = Number(grouped.replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

function beginsSentence(text: string, at: number): boolean {
  return /(?:^|[.!?…:]|\n)[\s"'“«(*_>-]*$/u.test(text.slice(0, at));
}

function isOrdinary(word: string): boolean {
  const folded = wordsOf(word);
  return folded.every((part) => MONTH_OF.has(part) || WEEKDAYS.has(part) || isStopWord(part));
}

/** What the lines of a source say, to look facts up in. */
export class SourceFacts {
  readonly #dates: readonly StatedDate[];
  readonly #figures: ReadonlySet<number>;
  readonly #words: ReadonlySet<string>;

  constructor(text: string) {
    const { dates, figures } = factsIn(text);
    this.#dates = dates;
    // A part of a date may be told alone: the year, the day.
    const parts = dates.flatMap(({ year, month, day }) => [year, month, day]);
    this.#figures = new Set([
      ...figures.map(({ value }) => value),
      ...parts.filter((n) => n !== null),
    ]);
    this.#words = new Set(wordsOf(text));
  }

  hasDate({ year, month, day }: StatedDate): boolean {
    return this.#dates.some(
      (date) =>
        date.month === month &&
        (day === null || date.day === null || date.day === day) &&
        (year === null || date.year === null || date.year === year),
    );
  }

  hasFigure({ value }: StatedFigure): boolean {
    return this.#figures.has(value);
  }

  /** Every part of it, whatever its case and accents. */
  hasName(name: string): boolean {
    return wordsOf(name).every(
      (word) =>
        isStopWord(word) || this.#words.has(word) || this.#words.has(word.replace(/s$/u, "")),
    );
  }
}
