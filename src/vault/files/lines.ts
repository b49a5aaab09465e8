/** What stands between the lines of a file. A mixed file takes the ending of its first line. */
export type LineEnding = "\n" | "\r\n";

export function lineEndingOf(text: string): LineEnding {
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}

/** `\n` everywhere. A `\r` that does not stand before a `\n` is text and stays. */
export function toLf(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

export function withLineEnding(text: string, ending: LineEnding): string {
  const lf = toLf(text);
  return ending === "\n" ? lf : lf.replaceAll("\n", "\r\n");
}

/**
 * The lines as they are shown: split on `\n`, a preceding `\r` left out. A final newline opens no last empty line;
 * an empty text has no line.
 */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = toLf(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Number of lines {@link splitLines} gives, without making them. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}

/** The width of the number column of a file: that of its last line number, two at least. */
export function numberWidth(totalLines: number): number {
  return Math.max(2, String(totalLines).length);
}

const KEPT_PREFIXES = 16_384;
const prefixesByWidth = new Map<number, string[]>();

/** `N` padded, then ` | `, for every line up to `last`; kept, since making them was a third of the cost of `read`. */
function prefixes(last: number, width: number): readonly string[] {
  let kept = prefixesByWidth.get(width);
  if (kept === undefined) prefixesByWidth.set(width, (kept = []));
  const most = Math.min(last, KEPT_PREFIXES);
  for (let line = kept.length; line <= most; line += 1) kept.push(prefix(line, width));
  return kept;
}

function prefix(line: number, width: number): string {
  return `${String(line).padEnd(width)} | `;
}

/**
 * Adds the lines with their numbers to `into`: `9  | text`, or `9  |` for an empty line.
 * @param first number of the first of `lines` in its file
 * @param width {@link numberWidth} of the whole file, so that a line looks the same wherever it is shown
 */
export function pushNumbered(
  into: string[],
  lines: readonly string[],
  first: number,
  width: number,
): void {
  const kept = prefixes(first + lines.length - 1, width);
  let number = first;
  for (const line of lines) {
    const start = kept[number] ?? prefix(number, width);
    into.push(line === "" ? start.slice(0, -1) : start + line);
    number += 1;
  }
}

/** The lines with their numbers, as one text. See {@link pushNumbered}. */
export function numberLines(lines: readonly string[], first: number, width: number): string {
  const numbered: string[] = [];
  pushNumbered(numbered, lines, first, width);
  return numbered.join("\n");
}

const NUMBERED = /^(\d+) *\|(?: (.*))?$/su;

export type Unnumbered =
  | { readonly kind: "plain" }
  /** Every line carried its number; `first` is the first of them, `text` the lines without them or a final newline. */
  | { readonly kind: "numbered"; readonly first: number; readonly text: string }
  /** `line` (1-based in the given text) does not fit the numbered lines around it. */
  | { readonly kind: "odd"; readonly line: number; readonly shown: string; readonly why: string };

/**
 * Takes off the `N  | ` prefixes of {@link numberLines}. A newline after the last line is not another line.
 * @param sequence whether the numbers must follow each other (they pin a place) or may be any
 */
export function stripNumbers(text: string, sequence: "consecutive" | "any"): Unnumbered {
  const lines = text.replace(/\n$/u, "").split("\n");
  const matches = lines.map((line) => NUMBERED.exec(line));
  const numbered = matches.filter((match) => match !== null);
  const first = Number(numbered[0]?.[1]);
  if (numbered.length === 0) return { kind: "plain" };
  for (const [at, match] of matches.entries()) {
    const shown = lines[at] ?? "";
    if (match === null) {
      return { kind: "odd", line: at + 1, shown, why: "it has no line number while others do" };
    }
    if (sequence === "consecutive" && Number(match[1]) !== first + at) {
      return { kind: "odd", line: at + 1, shown, why: `line number ${first + at} was expected` };
    }
  }
  return { kind: "numbered", first, text: numbered.map((match) => match[2] ?? "").join("\n") };
}

export const FENCE = "```";

/** A file, or a part of it, as every tool shows it. `numbered` is {@link numberLines}' text, or empty. */
export function block(header: string, numbered: string): string {
  return `${FENCE}${header}\n${numbered}${numbered === "" ? "" : "\n"}${FENCE}`;
}

/** Some lines of a file, with the number of all. */
export function linesBlock(
  shown: string,
  all: readonly string[],
  { start, end }: LineRange,
): string {
  const numbered = numberLines(all.slice(start - 1, end), start, numberWidth(all.length));
  return block(`${shown} (lines ${start}-${end} of ${all.length})`, numbered);
}

export interface LineRange {
  /** 1-based, inclusive. */
  readonly start: number;
  readonly end: number;
}

export function formatRange(range: LineRange): string {
  return `${range.start}-${range.end}`;
}
