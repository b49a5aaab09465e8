import { overlap, type Box } from "./piece.ts";
import { rowsOf, type Segment } from "./segment.ts";

/** A strip of white between two columns of a page, over a part of its height. */
export interface Gutter extends Box {
  /** How many lines have text on each side of it. */
  readonly lines: number;
}

/** In sizes of letters: how wide it must be beside few lines, and beside many. */
const WIDTH_OF_TWO = 1.3;
const WIDTH_OF_FEW = 0.95;
const WIDTH_OF_MANY = 0.6;
const MANY_LINES = 8;
/** More places are not tried. */
const MOST_CANDIDATES = 400;

/** The best gutter among segments: the one beside most lines; undefined when they are one column. */
export function bestGutter(segments: readonly Segment[]): Gutter | undefined {
  let best: Gutter | undefined;
  for (const gutter of guttersOf(segments)) {
    if (best === undefined || worth(gutter) > worth(best)) best = gutter;
  }
  return best;
}

function worth({ lines, left, right }: Gutter): number {
  return lines + Math.min(1, (right - left) / 1000);
}

/** Those that run through all of the segments, from left to right; those that a few lines cross with several cells count too. */
export function columnGutters(segments: readonly Segment[]): Gutter[] {
  const found: Gutter[] = [];
  const rows = rowsOf(segments);
  const all = guttersOf(segments, WIDTH_OF_FEW)
    .filter((gutter) => isSpannedOnly(gutter, rows))
    .toSorted((one, other) => worth(other) - worth(one));
  for (const gutter of all) {
    const isNew = found.every((each) => each.right <= gutter.left || gutter.right <= each.left);
    if (isNew) found.push(gutter);
  }
  return found.toSorted((one, other) => one.left - other.left);
}

/** Cells over several columns: in few lines, and beside other cells. */
function isSpannedOnly(gutter: Gutter, rows: readonly (readonly Segment[])[]): boolean {
  const crossing = rows.filter((row) => row.some((each) => isAcross(each, gutter)));
  return crossing.length <= rows.length * 0.25 && crossing.every((row) => row.length > 1);
}

function isAcross({ left, right }: Segment, gutter: Box): boolean {
  const middle = (gutter.left + gutter.right) / 2;
  return left < middle && right > middle;
}

/** A line that stands alone and crosses a gutter of the lines around it: a heading between two tables. */
export function crossingLine(segments: readonly Segment[]): Segment | undefined {
  const rows = rowsOf(segments);
  const strong = guttersOf(segments).filter(({ lines }) => lines >= 3);
  return rows.find(
    (row) =>
      row.length === 1 && strong.some((gutter) => row.some((each) => isAcross(each, gutter))),
  )?.[0];
}

function guttersOf(segments: readonly Segment[], widthOfTwo = WIDTH_OF_TWO): Gutter[] {
  const tried = new Set<string>();
  const found: Gutter[] = [];
  const order = {
    down: segments.toSorted((one, other) => one.top - other.top),
    up: segments.toSorted((one, other) => other.bottom - one.bottom),
  };
  for (const segment of segments) {
    const next = nextTo(segment, segments);
    if (next === undefined) continue;
    const key = `${Math.round(segment.right / 2)} ${Math.round(next.left / 2)} ${Math.round(segment.top / 40)}`;
    if (tried.has(key)) continue;
    tried.add(key);
    if (tried.size > MOST_CANDIDATES) break;
    const gutter = extended(segment, next, order, widthOfTwo);
    if (gutter !== undefined) found.push(gutter);
  }
  return found;
}

/** The nearest segment to the right that stands beside this one. */
function nextTo(segment: Segment, segments: readonly Segment[]): Segment | undefined {
  let nearest: Segment | undefined;
  for (const other of segments) {
    if (other.left < segment.right || other === segment) continue;
    const height = overlap([segment.top, segment.bottom], [other.top, other.bottom]);
    if (height < Math.min(segment.size, other.size) * 0.3) continue;
    if (nearest === undefined || other.left < nearest.left) nearest = other;
  }
  return nearest;
}

/** Widens the gap between two segments upwards and downwards, as far as no other one crosses it. */
function extended(
  segment: Segment,
  next: Segment,
  { down, up }: { readonly down: readonly Segment[]; readonly up: readonly Segment[] },
  widthOfTwo: number,
): Gutter | undefined {
  const least = Math.min(segment.size, next.size) * WIDTH_OF_MANY;
  let [left, right] = [segment.right, next.left];
  if (right - left < least) return undefined;
  /** False for one that crosses. */
  const narrow = (other: Segment): boolean => {
    if (other.right <= left || other.left >= right) return true;
    if (other.left < left && right - other.right >= least) left = other.right;
    else if (other.right > right && other.left - left >= least) right = other.left;
    else return false;
    return true;
  };
  const middle = segment.baseline;
  let [top, bottom] = [-Infinity, Infinity];
  for (const other of down) {
    if (other.baseline < middle || narrow(other)) continue;
    bottom = other.top;
    break;
  }
  for (const other of up) {
    if (other.baseline >= middle || narrow(other)) continue;
    top = other.bottom;
    break;
  }
  return measured({ left, right, top, bottom }, down, widthOfTwo);
}

/** Where a gutter really lies between two columns; undefined when there is too little on one side. */
function measured(
  { left, right, top, bottom }: Box,
  segments: readonly Segment[],
  widthOfTwo: number,
): Gutter | undefined {
  const inside = segments.filter(({ baseline }) => baseline > top && baseline < bottom);
  const before = inside.filter((each) => each.right <= left + 0.01);
  const after = inside.filter((each) => each.left >= right - 0.01);
  if (before.length === 0 || after.length === 0) return undefined;
  const common: [number, number] = [
    Math.max(first(before), first(after)),
    Math.min(last(before), last(after)),
  ];
  const lines = Math.min(...[before, after].map((side) => linesWithin(side, common)));
  const size = Math.max(...[...before, ...after].slice(0, 40).map((each) => each.size));
  const width = (right - left) / size;
  const isWide = lines >= MANY_LINES ? width >= WIDTH_OF_MANY : width >= WIDTH_OF_FEW;
  if (lines < 2 || (lines === 2 && width < widthOfTwo) || !isWide) return undefined;
  // What stands above the right column alone, on the left, is read before both anyway.
  const from = Math.min(first(after), Math.max(first(before), first(after)));
  return { left, right, top: from, bottom: lastTogether(before, after), lines };
}

function first(side: readonly Segment[]): number {
  return Math.min(...side.map((each) => each.top));
}

function last(side: readonly Segment[]): number {
  return Math.max(...side.map((each) => each.bottom));
}

function linesWithin(side: readonly Segment[], [top, bottom]: readonly [number, number]): number {
  return rowsOf(side.filter((each) => each.baseline > top && each.baseline <= bottom)).length;
}

/** Where the columns end: the left one may be longer, as long as its lines follow closely. */
function lastTogether(before: readonly Segment[], after: readonly Segment[]): number {
  let end = last(after);
  for (const segment of before.toSorted((one, other) => one.top - other.top)) {
    if (segment.bottom > end && segment.top - end < segment.size * 0.9) end = segment.bottom;
  }
  return end;
}
