import { headingsOf } from "../vault/files/headings.ts";
import { joinPath, type VaultPath } from "../vault/paths.ts";
import type { LineEdit } from "./finding.ts";

const DAY = /^# (\d{4}-\d{2}-\d{2})[ \t]*$/u;

/** A first-level heading of a changelog with all under it. */
export interface Block {
  /** Null for a heading that is no day. */
  readonly day: string | null;
  readonly title: string;
  /** Lines of the page, the heading's first. */
  readonly start: number;
  readonly end: number;
}

/** The changelogs of a vault that is laid out as ours. */
export function changelogPaths(projects: readonly VaultPath[]): VaultPath[] {
  return ["changelog.md", ...projects.map((project) => joinPath(project, "changelog.md"))];
}

export function blocksOf(lines: readonly string[]): Block[] {
  const tops = headingsOf(lines, 0).filter(({ level }) => level === 1);
  return tops.map(({ line, text }, at) => ({
    day: DAY.exec(lines[line - 1] ?? "")?.[1] ?? null,
    title: text,
    start: line,
    end: (tops[at + 1]?.line ?? lines.length + 1) - 1,
  }));
}

/** What stands below the heading of a block, without empty lines around it. */
export function contentOf(lines: readonly string[], { start, end }: Block): string[] {
  return trimmed(lines.slice(start, end));
}

export function trimmed(lines: readonly string[]): string[] {
  let [first, last] = [0, lines.length];
  while (first < last && isEmpty(lines[first])) first += 1;
  while (last > first && isEmpty(lines[last - 1])) last -= 1;
  return lines.slice(first, last);
}

export function isEmpty(line: string | undefined): boolean {
  return (line ?? "").trim() === "";
}

/**
 * Puts the entries of every day under its first heading: nothing of them is changed.
 * @param blocks those to look at
 * @param isWhole they are all that the changelog has
 */
export function mergeDays(
  lines: readonly string[],
  blocks: readonly Block[],
  isWhole: boolean,
): LineEdit[] {
  const edits: LineEdit[] = [];
  const gone: Block[] = [];
  const days = Map.groupBy(
    blocks.filter(({ day }) => day !== null),
    ({ day }) => day,
  );
  for (const [first, ...others] of days.values()) {
    if (first === undefined || others.length === 0) continue;
    gone.push(...others);
    const added = others.map((block) => contentOf(lines, block)).filter(({ length }) => length > 0);
    if (added.length === 0) continue;
    const place = lastText(lines, first) + 1;
    edits.push({ start: place, end: place - 1, lines: added.flatMap((each) => ["", ...each]) });
  }
  const removed = removedBlocks(gone).map(({ start, end }) => {
    // The empty lines before the last block would be left at the end of the file.
    let from = start;
    if (isWhole && end === lines.length) while (isEmpty(lines[from - 2]) && from > 1) from -= 1;
    return { start: from, end, lines: [] };
  });
  return [...edits, ...removed];
}

/** Takes blocks away, those that follow each other together. */
export function removedBlocks(blocks: readonly Block[]): LineEdit[] {
  const removed: LineEdit[] = [];
  for (const { start, end } of blocks.toSorted((a, b) => a.start - b.start)) {
    const last = removed.at(-1);
    if (last !== undefined && last.end === start - 1)
      removed[removed.length - 1] = { ...last, end };
    else removed.push({ start, end, lines: [] });
  }
  return removed;
}

/** The last line of a block that is not empty. */
export function lastText(lines: readonly string[], { start, end }: Block): number {
  let last = end;
  while (last > start && isEmpty(lines[last - 1])) last -= 1;
  return last;
}
