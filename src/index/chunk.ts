import { frontmatterLines, headingsOf, type Heading } from "../vault/files/headings.ts";
import type { LineRange } from "../vault/files/lines.ts";
import { nameOf, type VaultPath } from "../vault/paths.ts";

/** A section of a file that is found and shown as one. */
export interface Chunk {
  readonly lines: LineRange;
  /** The headings above and at its start, outermost first. */
  readonly headings: readonly string[];
  /** The day of the dated heading it stands under, in a changelog. */
  readonly day: string | null;
}

/** About 300 tokens: small neighbours are put together up to this size. */
const TARGET = 1200;
/** A section up to this size stays whole. */
const LARGEST = 1800;
/** An entry or task stays whole unless it is this long. */
const LARGEST_ENTRY = 8000;
const DATED = /^(\d{4}-\d\d-\d\d)\b/u;

/** A run of lines to be kept, cut or merged. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly headings: readonly string[];
}

/**
 * Cuts a markdown file into chunks: every line belongs to exactly one, in order. An entry of a changelog and a task of a
 * `tasks.md` are chunks of their own; elsewhere sections are, small ones together, long ones in parts.
 */
export function chunkLines(path: VaultPath, lines: readonly string[]): Chunk[] {
  if (lines.length === 0) return [];
  const frontmatter = frontmatterLines(lines);
  const headings = headingsOf(lines, frontmatter);
  const name = nameOf(path);
  if (name === "changelog.md") return entries(lines, headings, frontmatter, 2);
  if (name === "tasks.md") return entries(lines, headings, frontmatter, 1);
  const parts = sections(lines.length, headings, 2).flatMap((piece) => cut(piece, lines, headings));
  return merge(parts, lines).map((piece) => toChunk(piece, null));
}

function toChunk({ start, end, headings }: Piece, day: string | null): Chunk {
  return { lines: { start, end }, headings, day };
}

/** Pieces that begin at the headings down to a level; the first holds what stands before any. */
function sections(total: number, headings: readonly Heading[], level: number): Piece[] {
  const pieces: Piece[] = [];
  let start = 1;
  let path: Heading[] = [];
  for (const heading of headings.filter((each) => each.level <= level)) {
    if (heading.line > start) pieces.push({ start, end: heading.line - 1, headings: texts(path) });
    path = [...path.filter((each) => each.level < heading.level), heading];
    start = heading.line;
  }
  pieces.push({ start, end: total, headings: texts(path) });
  return pieces;
}

function texts(headings: readonly Heading[]): string[] {
  return headings.map(({ text }) => text);
}

/** Changelogs and tasks: a chunk for each heading. What only introduces the next one (a day, frontmatter) goes with it. */
function entries(
  lines: readonly string[],
  headings: readonly Heading[],
  frontmatter: number,
  level: number,
): Chunk[] {
  const chunks: Chunk[] = [];
  let introduction: number | null = null;
  const pieces = sections(lines.length, headings, level);
  for (const [at, piece] of pieces.entries()) {
    const start: number = introduction ?? piece.start;
    const isLast = at === pieces.length - 1;
    if (!isLast && isIntroduction(piece, lines, frontmatter)) {
      introduction = start;
      continue;
    }
    introduction = null;
    const day = DATED.exec(piece.headings[0] ?? "")?.[1] ?? null;
    const whole = { ...piece, start };
    const parts = sizeOf(whole, lines) > LARGEST_ENTRY ? paragraphs(whole, lines) : [whole];
    for (const part of parts) chunks.push(toChunk(part, day));
  }
  return chunks;
}

/** Nothing but frontmatter, a dated heading and empty lines. */
function isIntroduction(piece: Piece, lines: readonly string[], frontmatter: number): boolean {
  for (let line = Math.max(piece.start, frontmatter + 1); line <= piece.end; line += 1) {
    const text = (lines[line - 1] ?? "").trim();
    if (text !== "" && !/^# +\d{4}-\d\d-\d\d/u.test(text)) return false;
  }
  return true;
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
  const parts: Piece[] = [];
  let start = piece.start;
  let path: Heading[] = [];
  for (const heading of inner) {
    parts.push({ start, end: heading.line - 1, headings: [...piece.headings, ...texts(path)] });
    path = [...path.filter((each) => each.level < heading.level), heading];
    start = heading.line;
  }
  parts.push({ start, end: piece.end, headings: [...piece.headings, ...texts(path)] });
  return parts.flatMap((part) =>
    sizeOf(part, lines) <= LARGEST ? [part] : paragraphs(part, lines),
  );
}

/** Whether lines hold nothing but headings and frontmatter: what they introduce goes with them. */
function isOnlyHeadings({ start, end }: LineRange, lines: readonly string[]): boolean {
  const first = start === 1 ? frontmatterLines(lines) + 1 : start;
  for (let line = first; line <= end; line += 1) {
    const text = (lines[line - 1] ?? "").trim();
    if (text !== "" && !/^#{1,6}(?:\s|$)/u.test(text)) return false;
  }
  return true;
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
    if (isFull && !isOnlyHeadings({ start, end: last - 1 }, lines)) {
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
    if (startsItem && (afterGap || inList)) places.push(line);
    else if (afterGap && !(inList && isIndented) && !isIndented) places.push(line);
    if (startsItem) inList = true;
    else if (afterGap && !isIndented) inList = false;
  }
  return places;
}

/** Puts small neighbours under the same first heading together. */
function merge(pieces: readonly Piece[], lines: readonly string[]): Piece[] {
  const merged: Piece[] = [];
  let size = 0;
  for (const piece of pieces) {
    const more = sizeOf(piece, lines);
    const before = merged.at(-1);
    const isTogether =
      before !== undefined &&
      sameStart(before, piece) &&
      (size + more <= TARGET || isOnlyHeadings(before, lines));
    if (before !== undefined && isTogether) {
      // The frontmatter has no heading of its own: what follows it names the chunk.
      const headings =
        before.headings.length === 0 ? piece.headings : common(before.headings, piece.headings);
      merged[merged.length - 1] = { start: before.start, end: piece.end, headings };
      size += more;
    } else {
      merged.push(piece);
      size = more;
    }
  }
  return merged;
}

function sameStart(a: Piece, b: Piece): boolean {
  return a.headings.length === 0 || a.headings[0] === b.headings[0] || isUntitled(a, b);
}

/** Sections of level 2 with no title above them are neighbours too. */
function isUntitled(a: Piece, b: Piece): boolean {
  return a.headings.length === 1 && b.headings.length === 1;
}

function common(a: readonly string[], b: readonly string[]): string[] {
  const shared = a.findIndex((text, at) => text !== b[at]);
  const kept = shared < 0 ? a : a.slice(0, shared);
  return kept.length === 0 ? [...a] : [...kept];
}
