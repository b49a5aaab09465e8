import type { SearchResult } from "../../src/server/api/contract.ts";
import type { LineRange } from "../app/addresses.ts";

type NumberedLine = SearchResult["text_lines"][number];

const MAX_LINES = 8;
/** A line may be a whole paragraph. */
const MAX_CHARACTERS = 900;

/** Some lines of a result as they are written: from its start when its best lines are among them, else from just before those. Its heading is shown above them already. */
export function excerptLines({
  text_lines,
  best,
}: Pick<SearchResult, "text_lines" | "best">): string {
  const first = text_lines[0];
  const isHeading = first !== undefined && /^#{1,6} /u.test(first.text);
  const lines = isHeading ? text_lines.slice(1) : text_lines;
  const [from = 0, to = from] = [best[0], best.at(-1)];
  const indexOf = (wanted: number): number => lines.findLastIndex(({ number }) => number <= wanted);
  const start = indexOf(to) < MAX_LINES ? 0 : Math.max(0, indexOf(from) - 1);
  return lines
    .slice(start, start + MAX_LINES)
    .map(({ text }) => text)
    .join("\n")
    .slice(0, MAX_CHARACTERS);
}

/** From the first to the last of some lines; null when there is none. */
export function rangeOf(lines: readonly NumberedLine[]): LineRange | null {
  const [first, last] = [lines[0], lines.at(-1)];
  return first === undefined || last === undefined
    ? null
    : { start: first.number, end: last.number };
}
