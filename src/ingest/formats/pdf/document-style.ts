import { fold } from "../../../text/words.ts";
import { hyphensOf, type Hyphens } from "./inline.ts";
import { heaviest } from "./piece.ts";
import { rowsOf, type Segment } from "./segment.ts";

/** An entry of the document's own table of contents, which readers show beside it. */
export interface OutlineEntry {
  readonly title: string;
  /** From 1. */
  readonly level: number;
}

/** What the pages of a document have in common. */
export interface DocumentStyle {
  /** The size of its running text. */
  readonly bodySize: number;
  readonly isBodyBold: boolean;
  readonly hyphens: Hyphens;
  /** The level of a heading by its text; undefined when the table of contents does not have it. */
  levelOfTitle(text: string): number | undefined;
  /** The level of a heading by its size; undefined for text that is not larger than running text. */
  levelOfSize(size: number): number | undefined;
  /** For headings that are only bold. */
  readonly boldLevel: number;
  /** True for what stands at the top or bottom of many pages: running titles, page numbers. */
  isRunning(segment: Segment): boolean;
}

/** Headings are larger than the text by this. */
const LARGER = 1.12;
const DEEPEST_LEVEL = 6;

export function documentStyle(
  pages: readonly (readonly Segment[])[],
  outline: readonly OutlineEntry[],
): DocumentStyle {
  const all = pages.flat();
  const prose = all.filter(({ isMono }) => !isMono);
  const weighed = (prose.length === 0 ? all : prose).map(
    (segment) => [segment, segment.plain.length] as const,
  );
  const bodySize = heaviest(weighed.map(([{ size }, weight]) => [halves(size), weight])) ?? 10;
  const isBodyBold = heaviest(weighed.map(([{ isBold }, weight]) => [isBold, weight])) ?? false;
  const titles = new Map(outline.map(({ title, level }) => [letters(title), level]));
  const levels = levelsOf(all, bodySize, titles);
  return {
    bodySize,
    isBodyBold,
    hyphens: hyphensOf(all.map(({ plain }) => plain)),
    levelOfTitle: (text) => titles.get(letters(text)) ?? titles.get(letters(withoutNumber(text))),
    levelOfSize: (size) =>
      size < bodySize * LARGER ? undefined : (levels.get(halves(size)) ?? DEEPEST_LEVEL),
    boldLevel: Math.min(DEEPEST_LEVEL, Math.max(0, ...levels.values()) + 1),
    isRunning: runningLines(pages),
  };
}

function halves(size: number): number {
  return Math.round(size * 2) / 2;
}

function letters(text: string): string {
  return fold(text.normalize("NFKC")).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function withoutNumber(text: string): string {
  return text.replace(
    /^(?:(?:chapter|appendix|chapitre|annexe)\s+)?(?:[\dA-Z]+\.)*[\dA-Z]+\.?\s+/iu,
    "",
  );
}

/** The levels of the sizes that headings have: the largest is the first, but the table of contents knows better. */
function levelsOf(
  all: readonly Segment[],
  bodySize: number,
  titles: ReadonlyMap<string, number>,
): Map<number, number> {
  const sizes = new Map<number, [number, number][]>();
  for (const { size, plain } of all) {
    if (size < bodySize * LARGER || !/\p{L}/u.test(plain)) continue;
    const known = titles.get(letters(plain)) ?? titles.get(letters(withoutNumber(plain)));
    const found = sizes.get(halves(size)) ?? [];
    if (known !== undefined) found.push([known, 1]);
    sizes.set(halves(size), found);
  }
  const levels = new Map<number, number>();
  let level = 0;
  for (const size of [...sizes.keys()].toSorted((one, other) => other - one)) {
    const known = heaviest(sizes.get(size) ?? []);
    level = Math.min(DEEPEST_LEVEL, known ?? level + 1);
    levels.set(size, level);
  }
  return levels;
}

/** In sizes of letters: how far running lines are from the text. */
const APART = 1.6;
const LEAST_PAGES = 3;
const LEAST_SHARE = 0.3;

function runningLines(pages: readonly (readonly Segment[])[]): (segment: Segment) => boolean {
  const counts = new Map<string, number>();
  const ends = pages.map((page) => endsOf(rowsOf(page)));
  for (const rows of ends) {
    const keys = rows.flat().flatMap((segment) => [keyOf(segment), keyOf(segment, 4)]);
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(LEAST_PAGES, pages.length * LEAST_SHARE);
  const isOften = (segment: Segment): boolean =>
    Math.max(counts.get(keyOf(segment)) ?? 0, counts.get(keyOf(segment, 4)) ?? 0) >= least;
  // The name of the chapter stands beside the number of the page.
  const running = new Set(ends.flatMap((rows) => rows.filter((row) => row.some(isOften)).flat()));
  return (segment) => running.has(segment);
}

/** The lines at the top and bottom of a page that stand apart from the text between them: the heading row of a table does not. */
function endsOf(rows: readonly Segment[][]): Segment[][] {
  const isApart = (at: number): boolean => {
    const [one, other] = [rows[at]?.[0], rows[at + 1]?.[0]];
    if (one === undefined || other === undefined) return true;
    return other.baseline - one.baseline > Math.max(one.size, other.size) * APART;
  };
  const top = [0, 1].findLast((at) => isApart(at)) ?? -1;
  const bottom = [1, 2].findLast((count) => isApart(rows.length - count - 1)) ?? 0;
  return rows.filter((_, at) => at <= top || at >= rows.length - bottom);
}

/** The same text at about the same height, whatever its numbers. */
function keyOf({ plain, baseline }: Segment, shift = 0): string {
  return `${shift} ${Math.round((baseline + shift) / 8)} ${plain.replaceAll(/\d+|^[ivxlc]+$/gu, "#")}`;
}
