import type { SearchResult } from "../../src/server/api/contract.ts";
import type { LineRange } from "../app/addresses.ts";

type NumberedLine = SearchResult["text_lines"][number];

const MAX_LINES = 6;

/** A few lines of a result as they are shown: from its start when its best lines are among them, else from just before those. */
export function excerptOf({
  text_lines,
  best,
}: Pick<SearchResult, "text_lines" | "best">): NumberedLine[] {
  const full = text_lines
    .map(({ number, text }) => ({ number, text: excerptText(text) }))
    .filter(({ text }) => text !== "");
  const [first = 0, last = first] = [best[0], best.at(-1)];
  const indexOf = (wanted: number): number => full.findLastIndex(({ number }) => number <= wanted);
  const before = indexOf(last) < MAX_LINES ? 0 : indexOf(first) - 1;
  const start = Math.max(0, Math.min(before, full.length - MAX_LINES));
  return full.slice(start, start + MAX_LINES);
}

/** From the first to the last of some lines; null when there is none. */
export function rangeOf(lines: readonly NumberedLine[]): LineRange | null {
  const [first, last] = [lines[0], lines.at(-1)];
  return first === undefined || last === undefined
    ? null
    : { start: first.number, end: last.number };
}

/** A line of a note without most of its markdown syntax. Empty for a line without text of its own. */
export function excerptText(line: string): string {
  // A heading is shown above the excerpt already.
  if (/^#{1,6} /u.test(line)) return "";
  if (/^\s*(?:\|?\s*:?-{3,}:?\s*)+\|?\s*$/u.test(line) || /^\s*(?:```|~~~)/u.test(line)) return "";
  const isRow = /^\s*\|.*\|\s*$/u.test(line);
  const plain = isRow
    ? cellsOf(line).join(" · ")
    : line.replace(/^(\s*)[-*+] (?:\[[ x]\] )?/u, "$1• ");
  return plain
    .replaceAll(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]+)\]\]/gu, "$1")
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*\)/gu, "$1")
    .replaceAll(/(\*\*|__|`)(.+?)\1/gu, "$2")
    .replace(/^\s*>\s?/u, "")
    .trim();
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}
