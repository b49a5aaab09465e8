import { lineEndingOf, toLf, withLineEnding } from "../../vault/files/lines.ts";

/**
 * A text with another one in its place, byte for byte where they agree: lines that stay keep their endings, new ones get the ending that the
 * text has.
 * @param wanted with `\n`, as editors hand it over
 */
export function withLines(present: string, wanted: string): string {
  const old = present.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const next = wanted.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const isSame = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && toLf(a) === b;
  let start = 0;
  while (isSame(old[start], next[start])) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, next.length) - start &&
    isSame(old[old.length - 1 - end], next[next.length - 1 - end])
  )
    end += 1;
  const middle = withLineEnding(
    next.slice(start, next.length - end).join(""),
    lineEndingOf(present),
  );
  return [...old.slice(0, start), middle, ...old.slice(old.length - end)].join("");
}

const TASK = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\]\s.*)$/su;

/**
 * A text with one task done, or open again; null when there is no such task.
 * @param line its number from 1, as it was seen; when the text moved, the only line of that text is meant
 * @param seen the line as it was seen, without its ending
 */
export function withTask(text: string, line: number, seen: string, isDone: boolean): string | null {
  const lines = text.split("\n");
  const isSeen = (each: string | undefined): boolean => each?.replace(/\r$/u, "") === seen;
  const alike = [...lines.keys()].filter((at) => isSeen(lines[at]));
  const at = isSeen(lines[line - 1]) ? line - 1 : alike.length === 1 ? alike[0] : undefined;
  const task = at === undefined ? null : TASK.exec(lines[at] ?? "");
  if (at === undefined || task === null) return null;
  lines[at] = `${task[1]}${isDone ? "x" : " "}${task[3]}`;
  return lines.join("\n");
}
