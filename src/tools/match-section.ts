import { ExpectedError } from "../errors.ts";
import { frontmatterLines, headingsOf, type Heading } from "../vault/files/headings.ts";
import { splitLines, stripNumbers } from "../vault/files/lines.ts";
import type { EditMatch } from "./match-edit.ts";

const MOST_NAMED = 20;

/** A heading as a caller names it: its text, with the marks or the line number of `read` where it gave them. */
interface Wanted {
  readonly text: string;
  readonly level: number | null;
  readonly line: number | null;
}

/**
 * Where a replacement of what stands under a heading falls. The heading stays, and so do the empty lines around what is replaced.
 * @param text the file without byte-order mark, `\n` endings
 * @param shown the path, for errors
 */
export function matchSection(
  text: string,
  section: string,
  newContent: string,
  shown: string,
): EditMatch {
  const lines = splitLines(text);
  const headings = headingsOf(lines, frontmatterLines(lines));
  const wanted = wantedHeading(section);
  const heading = onlyHeading(headings, wanted, shown);
  const next = headings.find(({ line, level }) => line > heading.line && level <= heading.level);
  // Lines of the section, 0-based: after the heading, which may take several when it is underlined.
  let from = heading.line - 1 + headingHeight(lines, heading);
  let to = (next?.line ?? lines.length + 1) - 1;
  while (to > from && isBlank(lines[to - 1])) to -= 1;
  const isEmpty = to === from;
  while (from < to && isBlank(lines[from])) from += 1;
  const content = withoutHeading(newLines(newContent, wanted), heading);
  if (isEmpty) return insertion(text, from, content, next !== undefined);
  if (content !== "") {
    const start = offsetOf(text, from);
    // A heading that is underlined begins with any text right above it.
    const isJoined = next !== undefined && to === next.line - 1 && !isMarked(lines, next);
    return { start, end: endOf(text, to), replacement: isJoined ? `${content}\n` : content };
  }
  // Nothing is left: one separation between the heading and what follows, not two.
  while (to < lines.length && isBlank(lines[to])) to += 1;
  return { start: offsetOf(text, from), end: offsetOf(text, to), replacement: "" };
}

function wantedHeading(section: string): Wanted {
  const numbered = stripNumbers(section, "consecutive");
  const line = numbered.kind === "numbered" ? numbered.first : null;
  const plain = (numbered.kind === "numbered" ? numbered.text : section).trim();
  const [, marks = "", marked = ""] = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?$/u.exec(plain) ?? [];
  const text = marks === "" ? plain : marked;
  if (text === "") {
    throw new ExpectedError(
      "invalid_argument",
      'section is empty: give the text of a heading, like "## Focus".',
    );
  }
  return { text, level: marks === "" ? null : marks.length, line };
}

/** Throws when there is none, or more than one. */
function onlyHeading(headings: readonly Heading[], wanted: Wanted, shown: string): Heading {
  const sameText = headings.filter(
    ({ text, level }) =>
      text.normalize() === wanted.text.normalize() &&
      (wanted.level === null || level === wanted.level),
  );
  const pinned = sameText.find(({ line }) => line === wanted.line);
  if (pinned !== undefined) return pinned;
  const [only] = sameText;
  if (only === undefined) throw missing(headings, wanted, shown);
  if (sameText.length === 1) return only;
  const places = sameText.map(({ line }) => line).join(", ");
  throw new ExpectedError(
    "ambiguous",
    `section ${JSON.stringify(wanted.text)} is a heading ${sameText.length} times in ${shown}, at lines ${places}. Nothing was changed. Give the one you mean with its line number, as read shows it: "${only.line} | ${"#".repeat(only.level)} ${only.text}".`,
  );
}

function missing(headings: readonly Heading[], wanted: Wanted, shown: string): ExpectedError {
  const all = headings.map(({ level, text }) => `${"#".repeat(level)} ${text}`);
  const more = all.length > MOST_NAMED ? `; and ${all.length - MOST_NAMED} more` : "";
  const named =
    all.length === 0
      ? "It has no headings: use old_content."
      : `Its headings: ${all.slice(0, MOST_NAMED).join("; ")}${more}.`;
  return new ExpectedError(
    "no_match",
    `section ${JSON.stringify(wanted.text)} is not a heading of ${shown}. Nothing was changed. ${named}`,
  );
}

/** `new_content` carries line numbers only where `section` did. */
function newLines(newContent: string, { line }: Wanted): string {
  const stripped = line === null ? null : stripNumbers(newContent, "any");
  const text = stripped?.kind === "numbered" ? stripped.text : newContent;
  return text.replace(/^(?:[ \t]*\n)+/u, "").replace(/\s+$/u, "");
}

/** Models repeat the heading they were asked to write under: it stays once. */
function withoutHeading(content: string, heading: Heading): string {
  const lines = content.split("\n");
  const [first] = headingsOf(lines, 0);
  const isSame = first?.line === 1 && first.level === heading.level && first.text === heading.text;
  if (!isSame) return content;
  return lines
    .slice(headingHeight(lines, first))
    .join("\n")
    .replace(/^(?:[ \t]*\n)+/u, "");
}

/** Lines that a heading takes: one, or the paragraph and its underline. */
function headingHeight(lines: readonly string[], heading: Heading): number {
  if (isMarked(lines, heading)) return 1;
  const { line } = heading;
  let height = 2;
  while (!/^ {0,3}(?:=+|-+)[ \t]*$/u.test(lines[line - 2 + height] ?? "=")) height += 1;
  return height;
}

/** Whether it is marked with `#`, and not underlined. */
function isMarked(lines: readonly string[], { line }: Heading): boolean {
  return /^ {0,3}#/u.test(lines[line - 1] ?? "");
}

/** Puts text under a heading that has none, one empty line away from it and from the next. */
function insertion(text: string, from: number, content: string, hasNext: boolean): EditMatch {
  const start = offsetOf(text, from);
  if (content === "") return { start, end: start, replacement: "" };
  const opening = text.endsWith("\n") || start < text.length ? "\n" : "\n\n";
  const isSeparated = text[start] === "\n";
  const closing = hasNext && !isSeparated ? "\n\n" : "\n";
  return { start, end: start, replacement: `${opening}${content}${closing}` };
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === "";
}

/** Where a line (0-based) starts; the end of the text past its last. */
function offsetOf(text: string, line: number): number {
  let offset = 0;
  for (let at = 0; at < line; at += 1) {
    const newline = text.indexOf("\n", offset);
    if (newline < 0) return text.length;
    offset = newline + 1;
  }
  return offset;
}

/** Where the line before this one ends, without its line ending. */
function endOf(text: string, line: number): number {
  const next = offsetOf(text, line);
  return text[next - 1] === "\n" ? next - 1 : next;
}
