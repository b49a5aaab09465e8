import { bestGutter, columnGutters, crossingLine, type Gutter } from "./gutters.ts";
import { overlap, type Box, type Rule } from "./piece.ts";
import { rowsOf, segmentOf, type Segment } from "./segment.ts";
import { alignedTable, type Table } from "./tables.ts";

/** A part of a page in the order of reading: lines of one column, or a table. */
export type Region =
  | { readonly kind: "lines"; readonly lines: readonly Segment[] }
  | ({ readonly kind: "table" } & Table);

export interface PageStyle {
  readonly isRightToLeft: boolean;
  readonly rules: readonly Rule[];
  /** Tables with borders, each by the segment that stands for it. */
  readonly tables: ReadonlyMap<Segment, Table>;
}

const DEEPEST = 12;

/**
 * The order of reading: where white runs between two columns, the left one is read before the right one, and what stands above and below
 * them before and after.
 */
export function regionsOf(segments: readonly Segment[], style: PageStyle, depth = 0): Region[] {
  if (segments.length === 0) return [];
  const gutter = depth > DEEPEST || isCode(segments) ? undefined : bestGutter(segments);
  if (gutter === undefined) return column(segments, style);
  const inside = segments.filter((each) => isWithin(each, gutter));
  const outside = segments.filter((each) => !isWithin(each, gutter));
  const above = outside.filter((each) => each.baseline < gutter.top + each.size);
  const below = outside.filter((each) => each.baseline >= gutter.top + each.size);
  if (inside.length === 0) return column(segments, style);
  return [
    ...regionsOf(above, style, depth + 1),
    ...band(inside, gutter, style, depth),
    ...regionsOf(below, style, depth + 1),
  ];
}

function isWithin({ baseline, top }: Segment, gutter: Box): boolean {
  return baseline > gutter.top && top < gutter.bottom - 0.01 && baseline <= gutter.bottom + 0.01;
}

/** Code has columns that mean nothing. */
function isCode(segments: readonly Segment[]): boolean {
  return segments.filter(({ isMono }) => isMono).length > segments.length * 0.8;
}

/** One column: its lines, and the tables between them. */
function column(segments: readonly Segment[], { isRightToLeft, tables }: PageStyle): Region[] {
  const regions: Region[] = [];
  let rest = segments.filter((each) => !tables.has(each));
  const flush = (some: readonly Segment[]): void => {
    const lines = rowsOf(some).map((row) =>
      row.length === 1 && row[0] !== undefined
        ? row[0]
        : segmentOf(
            row.flatMap(({ pieces }) => pieces),
            isRightToLeft,
          ),
    );
    if (lines.length > 0) regions.push({ kind: "lines", lines });
  };
  for (const segment of segments.toSorted((one, other) => one.top - other.top)) {
    const table = tables.get(segment);
    if (table === undefined) continue;
    flush(rest.filter(({ baseline }) => baseline < segment.top + 2));
    rest = rest.filter(({ baseline }) => baseline >= segment.top + 2);
    regions.push({ kind: "table", ...table });
  }
  flush(rest);
  return regions;
}

/** Segments beside each other: a table, or columns of text. */
function band(
  segments: readonly Segment[],
  gutter: Gutter,
  style: PageStyle,
  depth: number,
): Region[] {
  const found = columnGutters(segments);
  const gutters = found.length === 0 ? [gutter] : found;
  const columns = columnsBetween(segments, gutters);
  const rules = style.rules.filter((rule) => !rule.isUpright && isCrossing(rule, segments));
  if (isCode(segments)) return column(segments, style);
  const hasTables = segments.some((each) => style.tables.has(each));
  if (!hasTables && isTable(columns, rules)) {
    const crossing = depth > DEEPEST ? undefined : crossingLine(segments);
    if (crossing !== undefined) {
      const others = segments.filter((each) => each !== crossing);
      const above = others.filter(({ baseline }) => baseline < crossing.baseline);
      const below = others.filter(({ baseline }) => baseline >= crossing.baseline);
      return [
        ...regionsOf(above, style, depth + 1),
        ...regionsOf([crossing], style, depth + 1),
        ...regionsOf(below, style, depth + 1),
      ];
    }
    const table = alignedTable(columns, rules);
    if (table !== null) {
      return [
        ...regionsOf(table.above, style, depth + 1),
        { kind: "table", ...table },
        ...regionsOf(table.below, style, depth + 1),
      ];
    }
  }
  // Columns of text: by the one gutter that is beside most lines.
  const sides = columnsBetween(segments, [gutter]);
  if (sides.some((side) => side.length === segments.length)) return column(segments, style);
  return sides.flatMap((side) => regionsOf(side, style, depth + 1));
}

function columnsBetween(segments: readonly Segment[], gutters: readonly Gutter[]): Segment[][] {
  const columns: Segment[][] = Array.from({ length: gutters.length + 1 }, () => []);
  for (const segment of segments) {
    // By its left side: a cell over several columns stands in the first.
    const at = gutters.findIndex(({ left, right }) => segment.left < (left + right) / 2);
    columns[at < 0 ? gutters.length : at]?.push(segment);
  }
  return columns;
}

function isCrossing(rule: Rule, segments: readonly Segment[]): boolean {
  return segments.some(
    (each) =>
      overlap([each.left, each.right], [rule.left, rule.right]) > 0 &&
      rule.top > each.top - each.size * 3 &&
      rule.top < each.bottom + each.size * 3,
  );
}

const LEAST_ALIGNED = 0.7;

/** A table has its cells on common lines; columns of text run on by themselves. */
function isTable(columns: readonly (readonly Segment[])[], rules: readonly Rule[]): boolean {
  const rows = columns.map((each) => rowsOf(each));
  const isAligned = rows.slice(1).every((row, at) => aligned(rows[at] ?? [], row) >= LEAST_ALIGNED);
  if (!isAligned) return false;
  const prose = columns.filter(isProse).length;
  if (prose < 2) return true;
  if (rules.length >= 3) return true;
  return haveCommonBreaks(rows);
}

/** The share of lines of the shorter column that stand on a line of the other. */
function aligned(one: readonly Segment[][], other: readonly Segment[][]): number {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  const places = many.map(([first]) => first?.baseline ?? 0);
  const found = few.filter(([first]) =>
    places.some((place) => Math.abs(place - (first?.baseline ?? 0)) < (first?.size ?? 10) * 0.25),
  );
  return few.length === 0 ? 1 : found.length / few.length;
}

/** Lines that fill the width of their column, with several words each. */
function isProse(segments: readonly Segment[]): boolean {
  const rows = rowsOf(segments);
  if (rows.length < 4) return false;
  const left = Math.min(...segments.map((each) => each.left));
  const width = Math.max(...segments.map((each) => each.right)) - left;
  const size = segments[0]?.size ?? 10;
  if (width < size * 9) return false;
  const full = rows.filter(
    (row) => Math.max(...row.map((each) => each.right)) - left > width * 0.75,
  );
  const words = rows.map((row) =>
    row.reduce((sum, each) => sum + each.plain.split(/\s+/u).length, 0),
  );
  const meanWords = words.reduce((sum, count) => sum + count, 0) / rows.length;
  const letters = segments.reduce((sum, each) => sum + each.plain.length, 0) / rows.length;
  return full.length >= rows.length * 0.4 && (meanWords >= 3.5 || letters > 25);
}

/** True when all columns pause at the same heights, several times. */
function haveCommonBreaks(columns: readonly (readonly Segment[][])[]): boolean {
  const breaks = columns.map((rows) => {
    const gaps = rows.slice(1).map(([first], at) => ({
      place: first?.top ?? 0,
      gap: (first?.baseline ?? 0) - (rows[at]?.[0]?.baseline ?? 0),
    }));
    const usual = Math.min(...gaps.map(({ gap }) => gap));
    return gaps.filter(({ gap }) => gap > usual * 1.2).map(({ place }) => place);
  });
  const [first = []] = breaks;
  return breaks.every(
    (places) =>
      places.length >= 2 &&
      places.filter((place) => first.some((each) => Math.abs(each - place) < 3)).length >=
        Math.max(places.length, first.length) * 0.8,
  );
}
