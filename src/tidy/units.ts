import { headingsOf } from "../vault/files/headings.ts";

/** A list item with the lines that go on with it, or a paragraph. */
export interface Unit {
  /** Lines of the page. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The heading it stands under; empty above the first. */
  readonly section: string;
}

const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/u;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/u;

/** The units of a text, in order; headings, tables, quotes and code are none. */
export function unitsOf(lines: readonly string[]): Unit[] {
  const headings = new Map(headingsOf(lines, 0).map(({ line, text }) => [line, text]));
  const units: Unit[] = [];
  let section = "";
  let open: { start: number; lines: string[] } | null = null;
  let isCode = false;
  const close = (end: number): void => {
    if (open !== null) units.push({ start: open.start, end, text: open.lines.join(" "), section });
    open = null;
  };
  for (const [at, line] of lines.entries()) {
    const isFence = FENCE.test(line);
    const heading = headings.get(at + 1);
    const isText = !isFence && !isCode && heading === undefined && /^(?!\s*[|>])\s*\S/u.test(line);
    if (!isText || ITEM.test(line)) close(at);
    if (isFence) isCode = !isCode;
    if (heading !== undefined) section = heading.trim();
    if (!isText) continue;
    open ??= { start: at + 1, lines: [] };
    open.lines.push(line.replace(ITEM, "").trim());
  }
  close(lines.length);
  return units;
}

/** Where in the lines of a unit some words stand; its first line when they are split over two. */
export function lineOf(lines: readonly string[], { start, end }: Unit, words: string): number {
  for (let line = start; line <= end; line += 1)
    if ((lines[line - 1] ?? "").includes(words)) return line;
  return start;
}

/** A text for a title: one line, not too long. */
export function quoted(text: string): string {
  const plain = text.replaceAll(/\s+/gu, " ").trim();
  return plain.length <= 120 ? plain : `${plain.slice(0, 119).toWellFormed().trimEnd()}…`;
}
