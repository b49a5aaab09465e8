import { tableMarkdown } from "../../convert/markdown-table.ts";
import { inlineMarkdown, joinLines, type Hyphens } from "./inline.ts";
import { around, median, type Box, type Rule } from "./piece.ts";
import { rowsOf, type Segment } from "./segment.ts";

export interface Table extends Box {
  /** For each cell its lines, as markdown. */
  readonly rows: readonly (readonly (readonly string[])[])[];
}

/** A table as markdown. */
export function tableText({ rows }: Pick<Table, "rows">, hyphens: Hyphens): string {
  return tableMarkdown(
    rows.map((row) =>
      row.map((cell) => cell.reduce((text, line) => joinLines(text, line, hyphens), "")),
    ),
  );
}

interface AlignedTable extends Table {
  /** Lines at its ends that are none of its rows. */
  readonly above: readonly Segment[];
  readonly below: readonly Segment[];
}

/** A line of a table: what stands in each of its columns. */
type CellLine = readonly (readonly Segment[])[];

/** A table whose columns are aligned; null when what is there is none. */
export function alignedTable(
  columns: readonly (readonly Segment[])[],
  rules: readonly Rule[],
): AlignedTable | null {
  const all = columns.flat();
  const columnOf = new Map(
    columns.flatMap((each, at) => each.map((segment) => [segment, at] as const)),
  );
  const lines: CellLine[] = rowsOf(all).map((row) =>
    columns.map((_, at) => row.filter((segment) => columnOf.get(segment) === at)),
  );
  const [from, to] = bodyOf(lines);
  const body = lines.slice(from, to);
  if (body.length < 2) return null;
  const groups = logicalRows(body, rules);
  if (groups.length < 2) return null;
  const rights = rightsOf(body);
  const rows = groups.map((group) => cellsOf(group, rights));
  const filled = rows.flat().filter((cell) => cell.length > 0).length;
  if (filled < groups.length * columns.length * 0.35) return null;
  const flat = (some: readonly CellLine[]): Segment[] => some.flat(2);
  return {
    ...around(flat(body)),
    rows,
    above: flat(lines.slice(0, from)),
    below: flat(lines.slice(to)),
  };
}

function filledIn(line: CellLine): number {
  return line.filter((cell) => cell.length > 0).length;
}

/** Without the lines at both ends that have one cell only and stand apart: a heading, or a paragraph that is short. */
function bodyOf(lines: readonly CellLine[]): [number, number] {
  const gaps = gapsOf(lines);
  const usual = median(gaps) ?? 0;
  let [from, to] = [0, lines.length];
  const tight = Math.min(...gaps) + 1;
  // A heading of several lines may begin in one column only, but not in the first.
  const isOfHeading = (at: number): boolean =>
    (gaps[at] ?? 0) <= tight && (lines[at]?.[0] ?? []).length === 0;
  while (from < to - 1 && filledIn(lines[from] ?? []) < 2 && !isOfHeading(from)) from += 1;
  while (
    to - 1 > from &&
    filledIn(lines[to - 1] ?? []) < 2 &&
    ((gaps[to - 2] ?? 0) > usual * 1.25 || (lines[to - 1]?.[0] ?? []).length > 0)
  )
    to -= 1;
  return [from, to];
}

/** The distances between the baselines of lines. */
function gapsOf(lines: readonly CellLine[]): number[] {
  const places = lines.map((line) => Math.min(...line.flat().map(({ baseline }) => baseline)));
  return places.slice(1).map((place, at) => place - (places[at] ?? 0));
}

/** Lines that make up one row: by the rules between rows, by wider gaps between them, or because their first cell is empty. */
function logicalRows(lines: readonly CellLine[], rules: readonly Rule[]): CellLine[][] {
  const byRules = splitBy(lines, (before, line) => hasRuleBetween(before, line, rules));
  const byGaps = rowsByGaps(lines);
  if (byRules.length > 3 && byRules.length >= byGaps.length * 0.6) return byRules;
  return byGaps;
}

function splitBy(
  lines: readonly CellLine[],
  isBreak: (before: CellLine, line: CellLine, at: number) => boolean,
): CellLine[][] {
  const groups: CellLine[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (before === undefined || isBreak(before, line, at)) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups;
}

function hasRuleBetween(before: CellLine, line: CellLine, rules: readonly Rule[]): boolean {
  const [one, other] = [around(before.flat()), around(line.flat())];
  const [from, to] = [(one.top + one.bottom) / 2, (other.top + other.bottom) / 2];
  return rules.some(({ top }) => top > from && top < to);
}

function rowsByGaps(lines: readonly CellLine[]): CellLine[][] {
  const gaps = gapsOf(lines);
  const size = lines.flat(2)[0]?.size ?? 10;
  const least = Math.min(...gaps);
  // Wider than the lines of one cell stand apart.
  const isWide = (gap: number): boolean => gap > least + Math.max(1.5, size * 0.14);
  const groups = splitBy(lines, (_, __, at) => isWide(gaps[at - 1] ?? 0));
  const long = groups.filter((group) => group.length > 1);
  const rights = rightsOf(lines);
  // Only when narrow gaps are inside cells: their lines are full, or cells are missing.
  const isOfCells =
    groups.length > 1 &&
    long.length > 0 &&
    long.filter((group) => isRunOn(group, rights)).length >= long.length * 0.7;
  if (isOfCells) return groups;
  return splitBy(lines, (_, line, at) => {
    const isFirstEmpty = (line[0] ?? []).length === 0;
    return !(isFirstEmpty && (gaps[at - 1] ?? 0) < least * 1.5);
  });
}

/** How far the texts of each column reach. */
function rightsOf(lines: readonly CellLine[]): number[] {
  const width = lines[0]?.length ?? 0;
  return Array.from({ length: width }, (_, at) =>
    Math.max(...lines.flatMap((line) => (line[at] ?? []).map(({ right }) => right))),
  );
}

/** Lines of one row: each time a cell goes on because its line was full, or some cells have ended. */
function isRunOn(group: readonly CellLine[], rights: readonly number[]): boolean {
  const pairs = group.slice(1).map((line, at) => [group[at] ?? [], line] as const);
  const going = pairs.filter(
    ([before, line]) =>
      Math.min(filledIn(line), filledIn(before)) < line.length ||
      line.some((cell, at) => isFull(before[at]?.at(-1), cell[0], rights[at] ?? 0)),
  );
  return going.length >= pairs.length * 0.7;
}

/** True when the first word of the next line had no room any more. */
function isFull(before: Segment | undefined, next: Segment | undefined, right: number): boolean {
  if (before === undefined || next === undefined) return false;
  const [word = ""] = next.plain.split(" ");
  const letter = (next.right - next.left) / Math.max(1, next.plain.length);
  return before.right + letter * (word.length + 1) > right;
}

function cellsOf(group: readonly CellLine[], rights: readonly number[]): string[][] {
  return rights.map((right, at) => {
    const texts: string[] = [];
    let before: Segment | undefined;
    for (const line of group) {
      const cell = line[at] ?? [];
      const next = inlineMarkdown(cell.flatMap(({ pieces }) => pieces));
      const isCut = before !== undefined && isCutWord(before, cell[0], right);
      if (isCut) texts.push((texts.pop() ?? "") + next);
      else if (next !== "") texts.push(next);
      before = cell.at(-1) ?? before;
    }
    return texts;
  });
}

/** A name such as `simpleServer.ts` that is longer than its column is wide goes on in the next line, without a hyphen. */
function isCutWord(before: Segment, next: Segment | undefined, right: number): boolean {
  if (next === undefined) return false;
  const [start, end] = [before.plain.split(" ").at(-1) ?? "", next.plain.split(" ")[0] ?? ""];
  const letter = (next.right - next.left) / Math.max(1, next.plain.length);
  return (
    before.right + letter > right &&
    /[\p{L}\p{N}.]$/u.test(start) &&
    /^[\p{L}\p{N}]/u.test(end) &&
    [start, end].some((part) => /\p{Ll}\p{Lu}|[._/@]\p{L}/u.test(part)) &&
    !before.plain.includes(" ")
  );
}
