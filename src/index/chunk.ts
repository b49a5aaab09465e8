import { hash } from "node:crypto";

import { JOB_KEYS } from "../text/job-keys.ts";
import { frontmatterLines, headingsOf, type Heading } from "../vault/files/headings.ts";
import { splitLines, type LineRange } from "../vault/files/lines.ts";
import { nameOf, type VaultPath } from "../vault/paths.ts";
import type { FileFacts } from "./file-facts.ts";
import type { IndexedFile } from "./search-index.ts";

/** Lines of a file, to be kept, cut or merged. */
interface Piece extends LineRange {
  /** The headings above and at its start, outermost first. */
  readonly headings: readonly string[];
}

/** A section of a file that is found and shown as one. */
export interface Chunk extends Piece {
  /** The day of the dated heading it stands under, in a changelog. */
  readonly day: string | null;
}

/** About 300 tokens: small parts of a section are put together up to this size. */
const TARGET = 1200;
/** A section up to this size stays whole. */
const LARGEST = 1800;
/** An entry or task stays whole unless it is this long. */
const LARGEST_ENTRY = 8000;
const DATED = /^(\d{4}-\d\d-\d\d)\b/u;
const DATED_HEADING = /^# +\d{4}-\d\d-\d\d/u;
const ANY_HEADING = /^#{1,6}(?:\s|$)/u;

/**
 * Cuts a markdown file into chunks: every line belongs to exactly one, in order. An entry of a changelog and a task of a
 * `tasks.md` are chunks of their own; elsewhere sections of level 1 and 2 are, long ones in parts.
 */
export function chunkLines(path: VaultPath, lines: readonly string[]): Chunk[] {
  if (lines.length === 0) return [];
  const headings = headingsOf(lines, frontmatterLines(lines));
  const whole = { start: 1, end: lines.length, headings: [] };
  const downTo = (level: number): Piece[] =>
    splitAt(
      whole,
      headings.filter((each) => each.level <= level),
    );
  const name = nameOf(path);
  if (name === "changelog.md") return entries(downTo(2), lines);
  if (name === "tasks.md") return entries(downTo(1), lines);
  const parts = downTo(2).flatMap((piece) => cut(piece, lines, headings));
  const sections = new Set(headings.filter(({ level }) => level <= 2).map(({ line }) => line));
  return merge(parts, lines, sections).map((piece) => ({ ...piece, day: null }));
}

/** Cuts a piece before each of these headings; the first part holds what stands before any. */
function splitAt(piece: Piece, headings: readonly Heading[]): Piece[] {
  const pieces: Piece[] = [];
  let { start } = piece;
  let path: Heading[] = [];
  const endAt = (end: number): void => {
    if (end >= start)
      pieces.push({ start, end, headings: [...piece.headings, ...path.map(({ text }) => text)] });
  };
  for (const heading of headings) {
    endAt(heading.line - 1);
    path = [...path.filter((each) => each.level < heading.level), heading];
    start = heading.line;
  }
  endAt(piece.end);
  return pieces;
}

/** Changelogs and tasks: a chunk for each heading. What only introduces the next one (a day, frontmatter) goes with it. */
function entries(pieces: readonly Piece[], lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  let introduction: number | null = null;
  for (const [at, piece] of pieces.entries()) {
    const start: number = introduction ?? piece.start;
    const isLast = at === pieces.length - 1;
    if (!isLast && holdsOnly(DATED_HEADING, piece, lines)) {
      introduction = start;
      continue;
    }
    introduction = null;
    const day = DATED.exec(piece.headings[0] ?? "")?.[1] ?? null;
    const whole = { ...piece, start };
    const parts = sizeOf(whole, lines) > LARGEST_ENTRY ? paragraphs(whole, lines) : [whole];
    for (const part of parts) chunks.push({ ...part, day });
  }
  return chunks;
}

/** Whether lines hold nothing but frontmatter, blank lines and headings that match: these go with what follows. */
function holdsOnly(heading: RegExp, { start, end }: LineRange, lines: readonly string[]): boolean {
  const first = start === 1 ? frontmatterLines(lines) : start - 1;
  return lines.slice(first, end).every((line) => line.trim() === "" || heading.test(line.trim()));
}

function sizeOf({ start, end }: LineRange, lines: readonly string[]): number {
  let size = 0;
  for (let line = start; line <= end; line += 1) size += (lines[line - 1]?.length ?? 0) + 1;
  return size;
}

/** A long section is cut at its deeper headings, then between paragraphs. */
function cut(piece: Piece, lines: readonly string[], headings: readonly Heading[]): Piece[] {
  if (sizeOf(piece, lines) <= LARGEST) return [piece];
  const inner = headings.filter(
    ({ line, level }) => level > 2 && line > piece.start && line <= piece.end,
  );
  return splitAt(piece, inner).flatMap((part) =>
    sizeOf(part, lines) <= LARGEST ? [part] : paragraphs(part, lines),
  );
}

/** Cuts between paragraphs and list items, filling each part up to the target. */
function paragraphs(piece: Piece, lines: readonly string[]): Piece[] {
  const parts: Piece[] = [];
  let start = piece.start;
  let last = piece.start;
  let size = 0;
  const places = cutPlaces(piece, lines);
  for (const place of [...places, piece.end + 1]) {
    const more = sizeOf({ start: last, end: place - 1 }, lines);
    const isFull = size > 0 && size + more > TARGET;
    if (isFull && !holdsOnly(ANY_HEADING, { start, end: last - 1 }, lines)) {
      parts.push({ start, end: last - 1, headings: piece.headings });
      start = last;
      size = 0;
    }
    size += more;
    last = place;
  }
  parts.push({ start, end: piece.end, headings: piece.headings });
  return parts;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/u;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?: |\t|$)/u;

/** Lines before which a piece may be cut: never inside a code fence, a table or a list item. */
function cutPlaces({ start, end }: Piece, lines: readonly string[]): number[] {
  const places: number[] = [];
  let fence: string | null = null;
  let inList = false;
  for (let line = start; line <= end; line += 1) {
    const text = lines[line - 1] ?? "";
    const previous = lines[line - 2] ?? "";
    const mark = FENCE.exec(text)?.[1];
    const isInside = fence !== null;
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence) === true) fence = null;
    if (isInside || line === start || text.trim() === "") continue;
    const startsItem = ITEM.test(text);
    const afterGap = previous.trim() === "";
    // What is indented after a gap goes on with the list item above it.
    const isIndented = /^\s/u.test(text);
    if ((startsItem && inList) || (afterGap && !isIndented)) places.push(line);
    if (startsItem) inList = true;
    else if (afterGap && !isIndented) inList = false;
  }
  return places;
}

/** Puts what only introduces a section together with it, and small parts of one section with each other. */
function merge(
  pieces: readonly Piece[],
  lines: readonly string[],
  sections: ReadonlySet<number>,
): Piece[] {
  const merged: Piece[] = [];
  let size = 0;
  for (const piece of pieces) {
    const more = sizeOf(piece, lines);
    const before = merged.at(-1);
    const isSmall = !sections.has(piece.start) && size + more <= TARGET;
    if (before !== undefined && (isSmall || holdsOnly(ANY_HEADING, before, lines))) {
      const headings = isSmall ? common(before.headings, piece.headings) : piece.headings;
      merged[merged.length - 1] = { start: before.start, end: piece.end, headings };
      size += more;
    } else {
      merged.push(piece);
      size = more;
    }
  }
  return merged;
}

function common(a: readonly string[], b: readonly string[]): string[] {
  const shared = a.findIndex((text, at) => text !== b[at]);
  return shared < 0 ? [...a] : a.slice(0, shared);
}

const JOB_LINE = new RegExp(`^(?:${JOB_KEYS.join("|")}):.*(?:\\n|$)`, "gmu");
const FRONTMATTER = /^---\n([\s\S]*?\n)?---(?:\n+|$)/u;

/** A chunk with its text. */
export interface ChunkText extends Chunk {
  readonly text: string;
  /** How many of its characters are frontmatter: they are shown in no result, and match only as properties. */
  readonly skip: number;
  /** Of headings and text. */
  readonly hash: string;
  /** Of title, headings and the text after the frontmatter: stays the same when only the frontmatter or the path changes. */
  readonly meaning: string;
}

export function chunksOf(file: IndexedFile, { frontmatter, title }: FileFacts): ChunkText[] {
  const lines = splitLines(file.text);
  return chunkLines(file.path, lines).map((chunk) => {
    const text = lines.slice(chunk.start - 1, chunk.end).join("\n");
    const skip = chunk.start === 1 ? Math.min(frontmatter, text.length) : 0;
    const own = hashOf(chunk.headings, skip === 0 ? text : `${skip}\0${text}`);
    const isPlain = skip === 0 && title === null;
    const meaning = isPlain
      ? own
      : hashOf(title === null ? chunk.headings : [title, ...chunk.headings], text.slice(skip));
    return { ...chunk, text, skip, hash: own, meaning };
  });
}

/** The start of a file without the keys of the background job, and without a frontmatter that has no others. */
export function withoutJobLines(text: string): string {
  return text.replace(FRONTMATTER, (block, keys: string | undefined) => {
    const own = (keys ?? "").replaceAll(JOB_LINE, "");
    return own.trim() === "" ? "" : block.replaceAll(JOB_LINE, "");
  });
}

function hashOf(headings: readonly string[], text: string): string {
  return hash("sha1", `${headings.join("\n")}\0${text}`, "base64");
}
