import { sectionsOf } from "../../index/replaces-line.ts";
import { lineEndingOf, splitLines, type LineRange } from "../../vault/files/lines.ts";

/** Lines that would take a line below them as part of them: items, quotes, tables, code, headings. */
const TAKES_MORE = /^(?:\s*(?:[-*+>|]|\d{1,9}[.)]|`{3}|~{3}|#{1,6}\s)| {4}|\t)/u;

/** A text whose end says what it replaces. */
export function withReplaces(text: string, replaces: readonly string[]): string {
  const missing = missingIn(splitLines(text), replaces);
  if (missing.length === 0) return text;
  const last = splitLines(text).at(-1) ?? "";
  return [text, ...(TAKES_MORE.test(last) ? [""] : []), ...missing].join("\n");
}

/**
 * Puts lines at the end of the section that a line stands in; those that the section has already are left out.
 * @param raw the file without byte-order mark, line endings as on disk
 * @returns the text, and the lines from the given one to the last that was put in
 */
export function endSection(
  raw: string,
  { start, end }: LineRange,
  replaces: readonly string[],
): { readonly text: string; readonly lines: LineRange } {
  const lines = splitLines(raw);
  const at = Math.min(end, lines.length);
  const section = sectionsOf(lines).findLast((each) => each.lines.start <= at);
  const first = section?.lines.start ?? 1;
  let last = section?.lines.end ?? lines.length;
  while (last > first && lines[last - 1]?.trim() === "") last -= 1;
  const missing = missingIn(lines.slice(first - 1, last), replaces);
  if (missing.length === 0) return { text: raw, lines: { start, end } };
  const ending = lineEndingOf(raw);
  const isApart = TAKES_MORE.test(lines[last - 1] ?? "");
  const added = [...(isApart ? [""] : []), ...missing];
  const offset = endOfLine(raw, last);
  const isEnded = raw[offset - 1] === "\n";
  const text = isEnded
    ? added.map((line) => line + ending).join("")
    : added.map((line) => ending + line).join("");
  return {
    text: raw.slice(0, offset) + text + raw.slice(offset),
    lines: { start, end: last + added.length },
  };
}

function missingIn(lines: readonly string[], replaces: readonly string[]): string[] {
  const there = new Set(lines.map((line) => line.trim()));
  return [...new Set(replaces)].filter((line) => !there.has(line));
}

/** The offset after a line (1-based) and its ending. */
function endOfLine(raw: string, line: number): number {
  let offset = 0;
  for (let at = 0; at < line; at += 1) {
    const newline = raw.indexOf("\n", offset);
    if (newline < 0) return raw.length;
    offset = newline + 1;
  }
  return offset;
}
