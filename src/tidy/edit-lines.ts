import { lineEndingOf, splitLines } from "../vault/files/lines.ts";
import type { LineEdit } from "./finding.ts";
import { skippedLines } from "./pages.ts";

/** A text with other lines in place of some; every line that is not named keeps its bytes, its ending included. */
export function editedText(text: string, edits: readonly LineEdit[]): string {
  const ending = lineEndingOf(text);
  const skipped = skippedLines(splitLines(text));
  const raw = text === "" ? [] : text.split(/(?<=\n)/u);
  const below = edits.toSorted((a, b) => b.start - a.start || b.end - a.end);
  for (const { start, end, lines } of below) {
    const at = skipped + start - 1;
    const last = raw[at - 1];
    if (lines.length > 0 && last !== undefined && !last.endsWith("\n")) raw[at - 1] = last + ending;
    raw.splice(at, Math.max(0, end - start + 1), ...lines.map((line) => line + ending));
  }
  const whole = raw.join("");
  const isOpen = text !== "" && !text.endsWith("\n");
  return isOpen && whole.endsWith(ending) ? whole.slice(0, -ending.length) : whole;
}

/** Whether two edits of one page cannot both be made: they change the same line, or insert at the same place. */
export function collide(a: LineEdit, b: LineEdit): boolean {
  const isInsertion = ({ start, end }: LineEdit): boolean => end < start;
  if (isInsertion(a) && isInsertion(b)) return a.start === b.start;
  if (isInsertion(a)) return a.start > b.start && a.start <= b.end;
  if (isInsertion(b)) return b.start > a.start && b.start <= a.end;
  return a.start <= b.end && b.start <= a.end;
}
