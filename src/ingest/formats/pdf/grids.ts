import { inlineMarkdown } from "./inline.ts";
import { around, overlap, type Box, type Piece, type Rule } from "./piece.ts";
import { rowsOf, segmentOf } from "./segment.ts";
import type { Table } from "./tables.ts";

/** How far apart the ends of two lines may be that meet. */
const NEAR = 3;
const MOST_CELLS = 3000;

/** Tables with drawn borders, and the pieces that are in none of them. */
export function ruledTables(
  pieces: readonly Piece[],
  rules: readonly Rule[],
  isRightToLeft: boolean,
): { readonly tables: readonly Table[]; readonly rest: readonly Piece[] } {
  const tables: Table[] = [];
  let rest = pieces;
  for (const grid of gridsOf(rules)) {
    const inside = rest.filter((piece) => isInside(piece, grid.box));
    const table = tableOf(grid, inside, isRightToLeft);
    if (table === null) continue;
    tables.push(table);
    const taken = new Set(inside);
    rest = rest.filter((piece) => !taken.has(piece));
  }
  return { tables, rest };
}

function isInside(piece: Piece, box: Box): boolean {
  const [x, y] = [(piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2];
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}

interface Grid {
  readonly box: Box;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly rules: readonly Rule[];
}

function gridsOf(rules: readonly Rule[]): Grid[] {
  return groupsOf(rules).flatMap((group) => {
    const uprights = group.filter(({ isUpright }) => isUpright);
    const levels = group.filter(({ isUpright }) => !isUpright);
    if (uprights.length === 0 || levels.length < 2) return [];
    const box = around(group);
    const xs = places([
      ...uprights.map(({ left, right }) => (left + right) / 2),
      box.left,
      box.right,
    ]);
    const ys = places([
      ...levels.map(({ top, bottom }) => (top + bottom) / 2),
      box.top,
      box.bottom,
    ]);
    const cells = (xs.length - 1) * (ys.length - 1);
    return xs.length < 3 || ys.length < 3 || cells > MOST_CELLS
      ? []
      : [{ box, xs, ys, rules: group }];
  });
}

/** Rules that touch each other, directly or by others. */
function groupsOf(rules: readonly Rule[]): Rule[][] {
  let groups: { readonly box: Box; readonly rules: Rule[] }[] = [];
  for (const rule of rules) {
    const touching = groups.filter((group) => group.rules.some((each) => isTouching(each, rule)));
    const joined = [rule, ...touching.flatMap((group) => group.rules)];
    groups = [
      ...groups.filter((group) => !touching.includes(group)),
      { box: around(joined), rules: joined },
    ];
  }
  return groups.map((group) => group.rules);
}

function isTouching(one: Box, other: Box): boolean {
  return (
    overlap([one.left, one.right], [other.left, other.right]) > -NEAR &&
    overlap([one.top, one.bottom], [other.top, other.bottom]) > -NEAR
  );
}

/** Numbers without those that are nearly the same. */
function places(numbers: readonly number[]): number[] {
  const found: number[] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    if (number - (found.at(-1) ?? -Infinity) > NEAR) found.push(number);
  }
  return found;
}

function tableOf(grid: Grid, inside: readonly Piece[], isRightToLeft: boolean): Table | null {
  const { xs, ys, box } = grid;
  const [width, height] = [xs.length - 1, ys.length - 1];
  const owner = mergedCells(grid);
  const cells = new Map<number, Piece[]>();
  for (const piece of inside.flatMap((each) => splitAt(each, xs))) {
    const column = slotOf((piece.left + piece.right) / 2, xs);
    const row = slotOf((piece.top + piece.bottom) / 2, ys);
    const cell = owner[row * width + column] ?? 0;
    const same = cells.get(cell);
    if (same === undefined) cells.set(cell, [piece]);
    else same.push(piece);
  }
  if (cells.size < 3) return null;
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, column) =>
      cellLines(cells.get(row * width + column) ?? [], isRightToLeft),
    ),
  ).filter((row) => row.some((cell) => cell.length > 0));
  const used = Array.from({ length: width }, (_, at) =>
    rows.some((row) => (row[at] ?? []).length > 0),
  );
  const columns = rows.map((row) => row.filter((__, at) => used[at]));
  const isTable = columns.length >= 2 && (columns[0]?.length ?? 0) >= 2;
  return isTable ? { ...box, rows: columns } : null;
}

function slotOf(place: number, bounds: readonly number[]): number {
  const at = bounds.findIndex((bound) => place < bound) - 1;
  return at < 0 ? (place < (bounds[0] ?? 0) ? 0 : bounds.length - 2) : at;
}

/** For each cell the first one of those it is merged with: there is no line between them. */
function mergedCells({ xs, ys, rules }: Grid): number[] {
  const [width, height] = [xs.length - 1, ys.length - 1];
  const owner = Array.from({ length: width * height }, (_, at) => at);
  const find = (at: number): number => {
    let found = at;
    for (let next = owner[found]; next !== undefined && next !== found; next = owner[found])
      found = next;
    return found;
  };
  const join = (one: number, other: number): void => {
    const [a, b] = [find(one), find(other)];
    owner[Math.max(a, b)] = Math.min(a, b);
  };
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column;
      const [x, y] = [xs[column + 1] ?? 0, ys[row + 1] ?? 0];
      const middleX = ((xs[column] ?? 0) + x) / 2;
      const middleY = ((ys[row] ?? 0) + y) / 2;
      if (column + 1 < width && !hasRule(rules, true, x, middleY)) join(at, at + 1);
      if (row + 1 < height && !hasRule(rules, false, y, middleX)) join(at, at + width);
    }
  }
  return owner.map((_, at) => find(at));
}

/** True when a rule at a place runs past a point. */
function hasRule(
  rules: readonly Rule[],
  isUpright: boolean,
  place: number,
  point: number,
): boolean {
  return rules.some((rule) => {
    if (rule.isUpright !== isUpright) return false;
    const [near, far] = isUpright ? [rule.left, rule.right] : [rule.top, rule.bottom];
    const [from, to] = isUpright ? [rule.top, rule.bottom] : [rule.left, rule.right];
    return near - NEAR <= place && far + NEAR >= place && from <= point && to >= point;
  });
}

/** A piece over several columns: two cells that stand close enough to be taken for one text. */
function splitAt(piece: Piece, xs: readonly number[]): Piece[] {
  const crossed = xs.find((x) => x > piece.left + piece.size && x < piece.right - piece.size);
  if (crossed === undefined) return [piece];
  const share = (crossed - piece.left) / (piece.right - piece.left);
  const wanted = (piece.isRightToLeft ? 1 - share : share) * piece.text.length;
  const spaces = [...piece.text.matchAll(/\s+/gu)].map(({ index }) => index);
  const cut = spaces.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0];
  if (cut === undefined || Math.abs(cut - wanted) > Math.max(3, piece.text.length * 0.15))
    return [piece];
  const [one, other] = [piece.text.slice(0, cut), piece.text.slice(cut).trimStart()];
  const [left, right] = piece.isRightToLeft ? [other, one] : [one, other];
  return [
    { ...piece, text: left, right: crossed },
    ...splitAt({ ...piece, text: right, left: crossed }, xs),
  ];
}

function cellLines(pieces: readonly Piece[], isRightToLeft: boolean): string[] {
  return rowsOf(pieces).map((row) => inlineMarkdown(segmentOf(row, isRightToLeft).pieces));
}
