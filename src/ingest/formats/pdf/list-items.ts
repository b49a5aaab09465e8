import type { Piece } from "./piece.ts";
import { isBullet, isMarker, type Segment } from "./segment.ts";

/** The beginning of an item of a list. */
export interface Item {
  /** As markdown: `- `, `3. `. */
  readonly mark: string;
  readonly isBullet: boolean;
  /** Null when it is none. */
  readonly number: number | null;
  /** Where its text begins. */
  readonly textLeft: number;
  /** Without the marker. */
  readonly pieces: readonly Piece[];
  isFollowedBy(other: Item): boolean;
}

const MARKED = /^(\S{1,6})(?:\s+|$)/u;

/** A line as an item of a list; null when it does not begin with a marker that is followed by a text. */
export function itemOf(line: Segment): Item | null {
  const marker = MARKED.exec(line.plain)?.[1] ?? "";
  // A line of a table of contents is none.
  if (/(?:[.·…]\s*){5,}[\divxlc]+$/u.test(line.plain)) return null;
  if (marker === "" || !isMarker(marker) || line.plain === marker) return null;
  const rest = withoutStart(line.pieces, marker.length);
  const first = rest[0];
  if (first === undefined) return null;
  const number = /^\(?(\d{1,3})[.)]$/u.exec(marker)?.[1];
  const own = line.pieces[0]?.text.trim() === marker;
  if (marker === "o" && !own) return null;
  const isLetter = /^\(?[a-zA-Z]+[.)]$/u.test(marker);
  if (isLetter && !own && !marker.startsWith("(") && !/^[a-z][.)]$/u.test(marker)) return null;
  if (/^\d+\.\d/u.test(marker) || marker.startsWith("[")) return null;
  const box = BOXES.get(marker);
  const mark =
    number !== undefined
      ? `${Number(number)}. `
      : box !== undefined
        ? `- ${box} `
        : isBullet(marker)
          ? "- "
          : `- ${marker} `;
  return {
    mark,
    isBullet: isBullet(marker),
    number: number === undefined ? null : Number(number),
    textLeft: first.left,
    pieces: rest,
    isFollowedBy: (other) =>
      number === undefined ? other.number === null : other.number === Number(number) + 1,
  };
}

const BOXES: ReadonlyMap<string, string> = new Map([
  ["☐", "[ ]"],
  ["□", "[ ]"],
  ["☑", "[x]"],
  ["☒", "[x]"],
]);

/** Pieces without their first letters, spaces not counted. */
function withoutStart(pieces: readonly Piece[], count: number): Piece[] {
  let left = count;
  return pieces.flatMap((piece) => {
    if (left <= 0) return [piece];
    const text = piece.text.trimStart();
    const cut = Math.min(left, text.length);
    left -= cut;
    const rest = text.slice(cut).trimStart();
    if (rest === "") return [];
    const share = 1 - rest.length / piece.text.length;
    return [{ ...piece, text: rest, left: piece.left + (piece.right - piece.left) * share }];
  });
}
