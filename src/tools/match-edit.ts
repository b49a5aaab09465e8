import { ExpectedError } from "../errors.ts";
import { stripNumbers } from "../vault/files/lines.ts";
import { describeMiss } from "./describe-miss.ts";

/** Where an edit falls in a text with `\n` endings, and what replaces it. Offsets in characters. */
export interface EditMatch {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * Finds the one place an edit means.
 * @param text the file without byte-order mark, `\n` endings
 * @param shown the path, for errors
 */
export function matchEdit(
  text: string,
  oldContent: string,
  newContent: string,
  shown: string,
): EditMatch {
  const numbered = stripNumbers(oldContent, "consecutive");
  const places = occurrences(text, oldContent);
  // A file may itself hold lines like "1 | a": taken as they are, they are what was meant.
  if (numbered.kind === "plain" || places.length === 1) {
    const start = onlyPlace(places, text, shown, () => describeMiss(text, oldContent, null, shown));
    return { start, end: start + oldContent.length, replacement: newContent };
  }
  if (numbered.kind === "odd") {
    const advice = "Give every line with its number as read shows it, in sequence, or none.";
    throw oddLine("old_content", numbered, advice);
  }
  return matchNumbered(text, numbered, newContent === "" ? null : newLines(newContent), shown);
}

/** The new lines, without their numbers if they have some, and without a newline after the last. */
function newLines(newContent: string): string {
  const stripped = stripNumbers(newContent, "any");
  if (stripped.kind === "plain") return newContent.replace(/\n$/u, "");
  if (stripped.kind === "numbered") return stripped.text;
  throw oddLine("new_content", stripped, "Number every line of new_content, or none.");
}

function oddLine(
  argument: string,
  { line, why, shown }: { line: number; why: string; shown: string },
  advice: string,
): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `Line ${line} of ${argument} does not fit: ${why}: ${JSON.stringify(shown)}. ${advice}`,
  );
}

/**
 * Numbered text is whole lines, at the place its numbers say; or, if it moved, at the only place that has it.
 * @param replacement lines; null to remove the old ones with their line endings
 */
function matchNumbered(
  text: string,
  { first, text: wanted }: { first: number; text: string },
  replacement: string | null,
  shown: string,
): EditMatch {
  const pinned = lineOffset(text, first);
  const places =
    pinned !== null && isWholeLines(text, pinned, wanted)
      ? [pinned]
      : occurrences(text, wanted).filter((place) => isWholeLines(text, place, wanted));
  const start = onlyPlace(places, text, shown, () => {
    const range = { start: first, end: first + wanted.split("\n").length - 1 };
    return describeMiss(text, wanted, range, shown);
  });
  const end = start + wanted.length;
  if (replacement !== null) return { start, end, replacement };
  if (text[end] === "\n") return { start, end: end + 1, replacement: "" };
  return { start: Math.max(0, start - 1), end, replacement: "" };
}

function isWholeLines(text: string, start: number, wanted: string): boolean {
  const end = start + wanted.length;
  const startsLine = start === 0 || text[start - 1] === "\n";
  const endsLine = end === text.length || text[end] === "\n";
  return startsLine && endsLine && text.startsWith(wanted, start);
}

function occurrences(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(wanted);
    at >= 0 && places.length < 50;
    at = text.indexOf(wanted, at + 1)
  ) {
    places.push(at);
  }
  return places;
}

/** Offset where a line starts; null past the end. */
function lineOffset(text: string, line: number): number | null {
  let offset = 0;
  for (let number = 1; number < line; number += 1) {
    const newline = text.indexOf("\n", offset);
    if (newline < 0) return null;
    offset = newline + 1;
  }
  return offset;
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

/** Throws when there is none, or more than one. */
function onlyPlace(
  places: readonly number[],
  text: string,
  shown: string,
  miss: () => ExpectedError,
): number {
  const [start] = places;
  if (start === undefined) throw miss();
  if (places.length === 1) return start;
  const lines = places.slice(0, 20).map((place) => lineAt(text, place));
  const more = places.length > 20 ? ", …" : "";
  throw new ExpectedError(
    "ambiguous",
    `old_content appears ${places.length} times in ${shown}, at lines ${lines.join(", ")}${more}. Nothing was changed. Give more of the text around it, or its lines with their numbers as read shows them.`,
  );
}
