/** A part of a note that can be parsed by itself. */
export interface NotePiece {
  readonly text: string;
  /** Lines of the note before it. */
  readonly line: number;
}

/** Characters: parsed and laid out within a frame or two. */
const PIECE = 6000;
/** Notes of up to two pieces are parsed at once. */
const WHOLE = 2 * PIECE;

/** The first letter of an item of a list that is in no other: `-`, or `1` for any number. */
const ITEM = /^(?:([-*+])|(\d)\d{0,8}[.)])\s/u;

const FENCE = /^ {0,3}(`{3,}|~{3,})/u;

/**
 * Cuts a note between blocks: before headings and after blank lines, where nothing goes on that was begun above. A list that is long is cut
 * between its items. Without a place to cut, a piece grows: a table of a thousand rows stays one.
 */
export function splitNote(text: string): NotePiece[] {
  if (text.length <= WHOLE) return [{ text, line: 0 }];
  const pieces: NotePiece[] = [];
  const inside = new OpenBlock();
  let [start, startLine, offset, line] = [0, 0, 0, 0];
  let isBlankBefore = false;
  /** The list that the last line without indentation is an item of. */
  let list: string | null = null;
  while (offset < text.length) {
    const end = text.indexOf("\n", offset);
    const next = end < 0 ? text.length : end + 1;
    const content = text.slice(offset, next).trimEnd();
    const length = offset - start;
    const item = inside.isOpen ? null : listOf(content);
    const isNextItem = length >= WHOLE && item !== null && item === list;
    if (isNextItem || (length >= PIECE && !inside.isOpen && isCut(content, isBlankBefore))) {
      pieces.push({ text: text.slice(start, offset), line: startLine });
      [start, startLine] = [offset, line];
    }
    if (content !== "" && !/^\s/u.test(content)) list = item;
    inside.read(content);
    isBlankBefore = content === "";
    offset = next;
    line += 1;
  }
  pieces.push({ text: text.slice(start), line: startLine });
  return pieces;
}

function listOf(line: string): string | null {
  const [, bullet, number] = ITEM.exec(line) ?? [];
  return bullet ?? (number === undefined ? null : "1");
}

/** A block may begin here that does not belong to the one above: no list item, no continuation, no row of a table. */
function isCut(line: string, isBlankBefore: boolean): boolean {
  if (/^#{1,6}\s/u.test(line)) return true;
  return isBlankBefore && line !== "" && !/^(?:\s|[-*+>|]|\d+[.)]\s|\[\^|<)/u.test(line);
}

/** Whether lines stand in code, math or a comment, which may have blank lines and headings of their own. */
class OpenBlock {
  #closer: RegExp | null = null;

  get isOpen(): boolean {
    return this.#closer !== null;
  }

  read(line: string): void {
    if (this.#closer !== null) {
      if (this.#closer.test(line)) this.#closer = null;
      return;
    }
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      this.#closer = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}\\s*$`, "u");
    } else if (/^\s*\$\$(?!.*\$\$)/u.test(line)) this.#closer = /\$\$/u;
    else if (hasOpenComment(line)) this.#closer = /%%/u;
  }
}

function hasOpenComment(line: string): boolean {
  return (line.match(/%%/gu)?.length ?? 0) % 2 === 1;
}

/** The piece that a line of the note is in. */
export function pieceAtLine(pieces: readonly NotePiece[], line: number): number {
  return Math.max(
    0,
    pieces.findLastIndex((piece) => piece.line < line),
  );
}
