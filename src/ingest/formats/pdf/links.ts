import { overlap, type Box, type Piece } from "./piece.ts";

/** A link on a page: where it lies, where it leads, and the text under it as far as it is known. */
export interface LinkBox extends Box {
  readonly address: string;
  readonly text: string;
}

/** Splits pieces where links begin and end, and gives those under a link its address. */
export function withAddresses(pieces: readonly Piece[], links: readonly LinkBox[]): Piece[] {
  let all = [...pieces];
  for (const link of links) {
    all = all.flatMap((piece) => (isUnder(piece, link) ? split(piece, link) : [piece]));
  }
  return all;
}

function isUnder(piece: Piece, link: LinkBox): boolean {
  const height = overlap([piece.top, piece.bottom], [link.top, link.bottom]);
  return (
    piece.address === undefined &&
    height > (piece.bottom - piece.top) * 0.5 &&
    overlap([piece.left, piece.right], [link.left, link.right]) > 1
  );
}

function split(piece: Piece, link: LinkBox): Piece[] {
  const [from, to] = rangeOf(piece, link);
  const part = (start: number, end: number, more: Partial<Piece> = {}): Piece[] => {
    if (piece.text.slice(start, end).trim() === "") return [];
    const [left, right] = [xAt(piece, start), xAt(piece, end)];
    const sides = piece.isRightToLeft ? { left: right, right: left } : { left, right };
    return [{ ...piece, ...sides, text: piece.text.slice(start, end), ...more }];
  };
  if (from >= to) return [piece];
  const address = link.address;
  return [...part(0, from), ...part(from, to, { address }), ...part(to, piece.text.length)];
}

/** Where a character of a piece begins, as if all were of one width. */
function xAt({ left, right, text, isRightToLeft }: Piece, at: number): number {
  const share = at / text.length;
  return isRightToLeft ? right - (right - left) * share : left + (right - left) * share;
}

/** The characters of a piece that lie under a link: its own text when it is there, else the words nearest to its ends. */
function rangeOf(piece: Piece, link: LinkBox): [number, number] {
  const { text, left, right } = piece;
  const share = (x: number): number =>
    Math.min(
      1,
      Math.max(0, piece.isRightToLeft ? (right - x) / (right - left) : (x - left) / (right - left)),
    );
  const [one, other] = [share(link.left), share(link.right)].map((part) => part * text.length);
  const [near, far] = [Math.min(one ?? 0, other ?? 0), Math.max(one ?? 0, other ?? 0)];
  const known = link.text.trim();
  const places = [...placesOf(text, known)];
  const best = places.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))[0];
  if (best !== undefined && Math.abs(best - near) < Math.max(8, text.length * 0.2))
    return [best, best + known.length];
  if (far - near > text.length * 0.95) return [0, text.length];
  const ends = [0, text.length];
  for (const { index } of text.matchAll(/(?<=\s)\S|(?<=\S)\s/gu)) ends.push(index);
  const nearest = (to: number): number =>
    ends.reduce((found, end) => (Math.abs(end - to) < Math.abs(found - to) ? end : found), 0);
  return [nearest(near), nearest(far)];
}

function* placesOf(text: string, known: string): Generator<number> {
  if (known === "") return;
  for (let at = text.indexOf(known); at >= 0; at = text.indexOf(known, at + 1)) yield at;
}
