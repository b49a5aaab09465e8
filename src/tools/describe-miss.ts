import { wordsOf } from "../text/words.ts";
import { ExpectedError } from "../errors.ts";
import { formatRange, linesBlock, splitLines, type LineRange } from "../vault/files/lines.ts";

const LOOKED_AT = 50_000;
const SHOWN = 12;

/**
 * The error for a text that is not in a file: the lines most like it, and how the first that differs does.
 * @param pinned the lines where it was said to be, if it was
 */
export function describeMiss(
  text: string,
  wanted: string,
  pinned: LineRange | null,
  shown: string,
): ExpectedError {
  const lines = splitLines(text);
  const wantedLines = splitLines(wanted);
  const start =
    pinned !== null && pinned.start <= lines.length
      ? pinned.start
      : nearestStart(lines, wantedLines);
  const place =
    pinned === null ? "" : ` at lines ${formatRange(pinned)}, nor at only one other place`;
  const intro = `old_content is not in ${shown}${place}. Nothing was changed.`;
  if (start === null) {
    return new ExpectedError("no_match", `${intro} No line resembles it: read the file again.`);
  }
  const count = Math.min(Math.max(1, wantedLines.length), SHOWN);
  const near = { start, end: Math.min(lines.length, start + count - 1) };
  return new ExpectedError(
    "no_match",
    `${intro} ${difference(lines, wantedLines, start)} The ${pinned === null ? "nearest" : "present"} lines:\n${linesBlock(shown, lines, near)}`,
  );
}

function difference(lines: readonly string[], wanted: readonly string[], start: number): string {
  for (const [at, line] of wanted.entries()) {
    const there = lines[start - 1 + at];
    const number = start + at;
    if (there === undefined) return `The file ends at line ${lines.length}.`;
    if (there === line) continue;
    if (there.normalize() === line.normalize()) {
      return `Line ${number} differs only in how its accents are encoded: copy it from read.`;
    }
    if (there.trim() === line.trim())
      return `Line ${number} differs only in spaces at its start or end.`;
    return `Line ${number} differs: you gave ${quote(line)}, the file has ${quote(there)}.`;
  }
  return "The lines are there, but not as whole lines.";
}

function quote(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
}

/** Start of the run of lines that shares most words with the wanted ones; null when nothing does. */
function nearestStart(lines: readonly string[], wanted: readonly string[]): number | null {
  const wantedWords = wanted.map(wordSet);
  const most = wantedWords.reduce((sum, words) => sum + words.size, 0);
  if (most === 0) return null;
  const known = lines.slice(0, LOOKED_AT).map(wordSet);
  let best = 0;
  let bestStart: number | null = null;
  for (let start = 0; start < known.length; start += 1) {
    let shared = 0;
    for (let at = 0; at < Math.min(wantedWords.length, SHOWN); at += 1) {
      const [here, want] = [known[start + at], wantedWords[at]];
      if (here === undefined || want === undefined) break;
      for (const word of want) if (here.has(word)) shared += 1;
      // Of two equal places, the one where whole lines agree.
      if (want.size > 0 && lines[start + at] === wanted[at]) shared += 0.5;
    }
    if (shared > best) [best, bestStart] = [shared, start + 1];
  }
  return best >= most * 0.2 ? bestStart : null;
}

function wordSet(line: string): Set<string> {
  return new Set(wordsOf(line));
}
