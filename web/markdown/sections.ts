import { slugOf } from "./parse.ts";

/** A part of a note: what `#Heading` or `#^block` names. */
export interface NoteSection {
  readonly text: string;
  /** Lines of the text before it. */
  readonly line: number;
}

/**
 * @param mark `Heading`, `Heading#Sub`, `^block`, `Heading#^block`; null for all of the note
 * @returns null when the note has no such part
 */
export function sectionOf(text: string, mark: string | null): NoteSection | null {
  if (mark === null || mark === "") return { text, line: 0 };
  const lines = text.split("\n");
  const block = blockIn(mark);
  const range = block === null ? headingRange(lines, mark) : blockRange(lines, block);
  if (range === null) return null;
  return { text: lines.slice(range[0], range[1]).join("\n"), line: range[0] };
}

/** The block that a mark names, with its `^`; null when it names a heading. */
export function blockIn(mark: string): string | null {
  const last = mark.split("#").at(-1) ?? "";
  return last.startsWith("^") ? last : null;
}

function headingRange(lines: readonly string[], mark: string): [number, number] | null {
  const wanted = slugOf(mark.split("#").at(-1) ?? mark);
  let fence = "";
  let found: { readonly at: number; readonly depth: number } | null = null;
  for (const [at, line] of lines.entries()) {
    const [, open = ""] = /^ {0,3}(`{3,}|~{3,})/u.exec(line) ?? [];
    if (fence !== "") {
      if (open.startsWith(fence)) fence = "";
      continue;
    }
    fence = open;
    const [, marks = "", title = ""] = /^(#{1,6})[ \t]+(.*)$/u.exec(line) ?? [];
    if (marks === "") continue;
    if (found !== null && marks.length <= found.depth) return [found.at, at];
    if (found === null && slugOf(title) === wanted) found = { at, depth: marks.length };
  }
  return found === null ? null : [found.at, lines.length];
}

/** The lines around `^id` up to blank ones; of a list, the item alone. */
function blockRange(lines: readonly string[], mark: string): [number, number] | null {
  const at = lines.findIndex((line) => line.trimEnd().endsWith(` ${mark}`) || line.trim() === mark);
  if (at < 0) return null;
  if (/^\s*(?:[-*+]|\d+[.)])\s/u.test(lines[at] ?? "")) return [at, at + 1];
  let start = at;
  // An id on a line of its own names the block above it.
  if (lines[at]?.trim() === mark)
    while (start > 0 && (lines[start - 1] ?? "").trim() === "") start -= 1;
  while (start > 0 && (lines[start - 1] ?? "").trim() !== "") start -= 1;
  return [start, at + 1];
}
