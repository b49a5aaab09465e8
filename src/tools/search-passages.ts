import type { IndexedLines, SearchHit } from "../index/search-index.ts";
import { DAY_LENGTH } from "../text/local-time.ts";
import {
  block,
  formatRange,
  numberLines,
  numberWidth,
  type LineRange,
} from "../vault/files/lines.ts";
import { showPath } from "../vault/paths.ts";

/** A result as programs get it. */
export interface SearchResult {
  readonly path: string;
  readonly score: number;
  /** `9-14`: what `concat` takes. */
  readonly lines: string;
  readonly heading: string | null;
  readonly chunk_with_context: string;
  readonly updated: string | null;
  /** The passage itself: without the lines around it, the file's frontmatter and blank lines at its ends. */
  readonly text_lines: readonly NumberedLine[];
  /** Numbers of the lines in `text_lines` that match best, ascending. */
  readonly best: readonly number[];
  /** The newest passage that makes this one untrue; null for one that holds. */
  readonly replaced: ReplacedBy | null;
}

/** Where what replaced a passage stands. */
interface ReplacedBy {
  readonly path: string;
  readonly lines: string;
  /** The day of it; null when it has none. */
  readonly date: string | null;
  /** What was true before, as it says; null when it does not. */
  readonly value: string | null;
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Lines of a file, and how many it has in all. */
export type FileLines = Omit<IndexedLines, "signature">;

/** What is shown of a hit. */
export interface Passage {
  readonly hit: SearchHit;
  readonly result: SearchResult;
  readonly shown: LineRange;
  readonly lines: readonly string[];
  readonly totalLines: number;
}

/** Lines shown around the first passages, so that one sees where they stand. */
export const CONTEXT_LINES = 2;
const WITH_CONTEXT = 3;
/** Characters of a passage: the most, and the least. */
const LARGEST = 1200;
const SMALLEST = 250;
/** A passage may take this share of the room that is left, times its score beside the best one. */
const SHARE = 0.25;
/** What a line of an answer costs beside its text, and what a header does. */
const LINE_COST = 6;
const HEADER_COST = 70;

/**
 * The room that passages are given, one after the other, best first: much for the first, little for those far below. A passage that is
 * smaller than its part leaves the rest to the next.
 */
export class Room {
  #left: number;
  #rank = 0;

  /** @param characters of the whole answer */
  constructor(characters: number) {
    this.#left = characters;
  }

  get isFull(): boolean {
    return this.#left < SMALLEST && this.#rank > 0;
  }

  /** @param share the score beside the best one, 0 to 1 */
  give(hit: SearchHit, lines: FileLines, share: number): Passage {
    const size = Math.max(SMALLEST, Math.min(LARGEST, this.#left * SHARE * share));
    const passage = passageOf(hit, lines, size, this.#rank < WITH_CONTEXT ? CONTEXT_LINES : 0);
    this.#rank += 1;
    const cost = passage.lines.reduce((sum, line) => sum + line.length + LINE_COST, 0);
    this.#left -= cost + HEADER_COST;
    return passage;
  }
}

/** What is shown instead of the lines of a hit whose text others wrote. */
export function concealed({ lines }: SearchHit, { totalLines }: FileLines): FileLines {
  const notice = "(text from outside, not shown; reading it limits what you may change)";
  return { first: lines.start, lines: [notice], totalLines };
}

function passageOf(
  hit: SearchHit,
  { first, lines: around, totalLines }: FileLines,
  size: number,
  context: number,
): Passage {
  const chunk = { start: hit.lines.start, end: Math.min(hit.lines.end, totalLines) };
  const lineAt = (line: number): string => around[line - first] ?? "";
  const part = excerpt(lineAt, chunk, hit.best, size);
  const lowest = Math.max(first, Math.min(part.start, hit.frontmatter + 1));
  const shown = {
    start: Math.max(lowest, part.start - context),
    end: Math.min(first + around.length - 1, part.end + context),
  };
  const lines = around.slice(shown.start - first, shown.end - first + 1);
  const passage = withoutBlankEnds(lineAt, part);
  return {
    hit,
    shown,
    lines,
    totalLines,
    result: {
      path: showPath(hit.path),
      score: Math.round(hit.score * 100) / 100,
      lines: formatRange(hit.lines),
      heading: hit.headings.length === 0 ? null : hit.headings.join(" > "),
      chunk_with_context: numberLines(lines, shown.start, numberWidth(totalLines)),
      updated: hit.date,
      text_lines: passage,
      best: passage
        .map(({ number }) => number)
        .filter((number) => number >= hit.best.start && number <= hit.best.end),
      replaced: replacedBy(hit),
    },
  };
}

function replacedBy({ replaced }: SearchHit): ReplacedBy | null {
  if (replaced === null) return null;
  const date = replaced.date?.slice(0, DAY_LENGTH) ?? null;
  const { path, lines, value } = replaced;
  return { path: showPath(path), lines: formatRange(lines), date, value };
}

/** The whole chunk or, when it is larger, its best lines with as many around them as fit. */
function excerpt(
  lineAt: (line: number) => string,
  chunk: LineRange,
  best: LineRange,
  size: number,
): LineRange {
  const sizeOf = (line: number): number => lineAt(line).length + 1;
  let start = Math.min(Math.max(best.start, chunk.start), chunk.end);
  let end = start;
  let room = size - sizeOf(start);
  const takes = (line: number): boolean => {
    const fits = line >= chunk.start && line <= chunk.end && sizeOf(line) <= room;
    if (fits) room -= sizeOf(line);
    return fits;
  };
  while (end < best.end && takes(end + 1)) end += 1;
  for (;;) {
    const [below, above] = [takes(end + 1), takes(start - 1)];
    if (!below && !above) return { start, end };
    if (below) end += 1;
    if (above) start -= 1;
  }
}

function withoutBlankEnds(lineAt: (line: number) => string, part: LineRange): NumberedLine[] {
  const inside: NumberedLine[] = [];
  for (let number = part.start; number <= part.end; number += 1)
    inside.push({ number, text: lineAt(number) });
  const isFull = (line: NumberedLine): boolean => line.text.trim() !== "";
  const start = inside.findIndex(isFull);
  return start < 0 ? [] : inside.slice(start, inside.findLastIndex(isFull) + 1);
}

/** What stands between two passages of one file. */
const GAP = "...";

/** A block for each file, by its best passage, its passages in the order of their lines; and one for each that was replaced, which never stands above what replaced it. */
export function fileBlocks(passages: readonly Passage[]): string[] {
  const files = Map.groupBy(passages, ({ hit, result }) =>
    hit.replaced === null ? hit.path : `${hit.path} ${result.lines}`,
  );
  return [...files.values()].map(fileBlock);
}

function fileBlock(passages: readonly Passage[]): string {
  const [best] = passages;
  if (best === undefined) return "";
  const sorted = passages.toSorted((a, b) => a.shown.start - b.shown.start);
  const width = numberWidth(best.totalLines);
  const pieces: string[] = [];
  let last = 0;
  for (const { shown, lines } of sorted) {
    const fresh = lines.slice(Math.max(0, last + 1 - shown.start));
    const start = shown.end - fresh.length + 1;
    if (last > 0 && start > last + 1) pieces.push(GAP);
    if (fresh.length > 0) pieces.push(numberLines(fresh, start, width));
    last = Math.max(last, shown.end);
  }
  const ranges = sorted.map(({ result }) => result.lines).join(", ");
  const { path, score, replaced } = best.result;
  const header = `${path} (lines ${ranges}) · score ${score.toFixed(2)}`;
  return block(
    replaced === null ? header : `${header} · ${replacedText(replaced)}`,
    pieces.join("\n"),
  );
}

/** `replaced 2026-11-16 → vault/changelog.md lines 9-14` */
export function replacedText({ path, lines, date }: ReplacedBy): string {
  return ["replaced", ...(date === null ? [] : [date]), "→", path, "lines", lines].join(" ");
}
