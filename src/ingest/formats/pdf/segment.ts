import { around, heaviest, overlap, type Box, type Piece } from "./piece.ts";

/** Pieces of one line that follow each other without a wide gap. */
export interface Segment extends Box {
  /** In the order of reading. */
  readonly pieces: readonly Piece[];
  readonly baseline: number;
  /** Of most of its letters. */
  readonly size: number;
  readonly isBold: boolean;
  readonly isMono: boolean;
  /** Its text without marks of markdown. */
  readonly plain: string;
}

/** Of the size of the letters: words stand further apart. */
const LEAST_SPACE = 0.15;
/** A gap that may be one between columns. */
const LEAST_GAP = 0.6;

export function segmentOf(pieces: readonly Piece[], isRightToLeft: boolean): Segment {
  const ordered = inReadingOrder(pieces, isRightToLeft);
  const weights = ordered.map((piece) => [piece, piece.text.trim().length] as const);
  const size = heaviest(
    weights.map(([piece, weight]) => [Math.round(piece.size * 10) / 10, weight]),
  );
  const baseline = heaviest(weights.map(([piece, weight]) => [piece.baseline, weight]));
  const isMost = (test: (piece: Piece) => boolean): boolean =>
    heaviest(weights.map(([piece, weight]) => [test(piece), weight])) ?? false;
  return {
    ...around(ordered),
    pieces: ordered,
    size: size ?? 0,
    baseline: baseline ?? 0,
    isBold: isMost(({ isBold }) => isBold),
    isMono: isMost(({ isMono }) => isMono),
    plain: plainText(ordered),
  };
}

/** From left to right; runs of the other direction the other way round. Pages from right to left are mirrored. */
function inReadingOrder(pieces: readonly Piece[], isRightToLeft: boolean): Piece[] {
  const sorted = pieces.toSorted((one, other) => one.left - other.left);
  const ordered: Piece[] = [];
  let run: Piece[] = [];
  for (const piece of sorted) {
    const isOther = piece.isRightToLeft !== isRightToLeft && /[\p{L}\p{N}]/u.test(piece.text);
    if (isOther) {
      run.unshift(piece);
      continue;
    }
    ordered.push(...run, piece);
    run = [];
  }
  return [...ordered, ...run];
}

/** True where a space belongs between two pieces of one line, whichever stands left: some writers leave the spaces out. */
export function hasSpace(one: Piece, other: Piece): boolean {
  const gap = Math.max(other.left - one.right, one.left - other.right);
  const size = Math.min(one.size, other.size);
  // Texts that lie on each other are no word together.
  return gap > size * LEAST_SPACE || gap < -size;
}

function plainText(pieces: readonly Piece[]): string {
  let text = "";
  for (const [at, piece] of pieces.entries()) {
    const before = pieces[at - 1];
    if (before !== undefined && hasSpace(before, piece)) text += " ";
    text += piece.text;
  }
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** Of the size of a line: smaller letters are not raised, but stand beside or in front of a large one. */
const SMALLEST_RAISED = 0.4;

/** Pieces by the line they stand on, from the top. Raised and lowered ones belong to the line that they touch. */
export function rowsOf<T extends Box & { readonly baseline: number; readonly size: number }>(
  pieces: readonly T[],
): T[][] {
  const rows: { readonly baseline: number; readonly size: number; readonly pieces: T[] }[] = [];
  // Large ones first, so that a raised figure finds its line.
  for (const piece of pieces.toSorted((one, other) => other.size - one.size)) {
    let nearest: (typeof rows)[number] | undefined;
    for (const row of rows) {
      const distance = Math.abs(row.baseline - piece.baseline);
      const isSmall = piece.size < row.size * 0.8 && piece.size > row.size * SMALLEST_RAISED;
      const most = isSmall ? row.size * 0.5 : piece.size * 0.3;
      if (distance > most) continue;
      // A raised figure stands beside its word, not anywhere in the line.
      if (distance > piece.size * 0.3 && !row.pieces.some((each) => isBeside(each, piece)))
        continue;
      if (nearest === undefined || distance < Math.abs(nearest.baseline - piece.baseline))
        nearest = row;
    }
    if (nearest === undefined)
      rows.push({ baseline: piece.baseline, size: piece.size, pieces: [piece] });
    else nearest.pieces.push(piece);
  }
  return rows
    .toSorted((one, other) => one.baseline - other.baseline)
    .map((row) => row.pieces.toSorted((one, other) => one.left - other.left));
}

function isBeside(one: Box & { readonly size: number }, other: Box): boolean {
  return -overlap([one.left, one.right], [other.left, other.right]) < one.size * 0.5;
}

/** The segments of a page, without text that is drawn twice to look bold. */
export function segmentsOf(pieces: readonly Piece[], isRightToLeft: boolean): Segment[] {
  return rowsOf(pieces).flatMap((row) => {
    const segments: Piece[][] = [];
    let right = -Infinity;
    for (const piece of row) {
      const last = segments.at(-1);
      if (last?.some((each) => isSame(each, piece)) === true) continue;
      if (last === undefined || piece.left - right > piece.size * LEAST_GAP) segments.push([piece]);
      else last.push(piece);
      right = Math.max(last === undefined ? -Infinity : right, piece.right);
    }
    return segments.map((each) => segmentOf(each, isRightToLeft));
  });
}

function isSame(one: Piece, other: Piece): boolean {
  return (
    one.text === other.text &&
    Math.abs(one.left - other.left) < one.size * 0.15 &&
    Math.abs(one.baseline - other.baseline) < one.size * 0.15
  );
}

/** What begins an item of a list. `o` is the inner bullet of Word. */
const BULLET =
  /^(?:[•◦▪▫‣⁃∙●○■□◆◇►▶▸➢➤✓✔❖·*–—\u2212\-\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf02d\uf06f\ue000-\ue0ff☐☑☒]|o)$/u;
const NUMBER =
  /^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{2,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?|\[\d{1,3}\])$/u;

export function isBullet(text: string): boolean {
  return BULLET.test(text);
}

export function isMarker(text: string): boolean {
  return BULLET.test(text) || NUMBER.test(text);
}

/** How far the text of an item may stand from its marker, in sizes of letters. */
const MARKER_GAP = 4.5;

/** Joins markers with what they mark: the gap between them is not one between columns. */
export function withMarkers(segments: readonly Segment[], isRightToLeft: boolean): Segment[] {
  return rowsOf(segments).flatMap((row) => {
    const joined: Segment[] = [];
    for (const segment of row) {
      const before = joined.at(-1);
      const isMarked =
        before !== undefined &&
        isMarker(before.plain) &&
        segment.left - before.right < segment.size * MARKER_GAP;
      if (isMarked)
        joined.splice(-1, 1, segmentOf([...before.pieces, ...segment.pieces], isRightToLeft));
      else joined.push(segment);
    }
    return joined;
  });
}
