import { fenced } from "../../convert/markdown-table.ts";
import type { DocumentStyle } from "./document-style.ts";
import { asParagraph, escaped, inlineMarkdown, joinLines } from "./inline.ts";
import { itemOf, type Item } from "./list-items.ts";
import { median } from "./piece.ts";
import type { Segment } from "./segment.ts";

/** A block of a page: its markdown, and how deep it stands in a list. */
interface Block {
  readonly markdown: string;
  /** Items of a list stand together, other blocks apart. */
  readonly isItem: boolean;
}

/** Lines of one column as markdown: headings, paragraphs, lists, code. */
export function columnMarkdown(lines: readonly Segment[], style: DocumentStyle): string {
  return new Column(lines, style).blocks().reduce((text, block, at, all) => {
    const separator = block.isItem && all[at - 1]?.isItem === true ? "\n" : "\n\n";
    return text === "" ? block.markdown : text + separator + block.markdown;
  }, "");
}

/** A list that has begun: where its markers and its texts stand. */
interface OpenList {
  readonly marker: number;
  readonly text: number;
  readonly indent: string;
  last: Item;
}

/** Lines of a paragraph stand this much further apart than usual, in sizes of letters, when a new one begins. */
const PARAGRAPH_GAP = 0.22;
const LONGEST_HEADING = 200;

class Column {
  readonly #lines: readonly Segment[];
  readonly #style: DocumentStyle;
  readonly #right: number;
  readonly #leading: number;
  /** The lists that are open, from the outermost. */
  #open: OpenList[] = [];

  constructor(lines: readonly Segment[], style: DocumentStyle) {
    this.#lines = lines;
    this.#style = style;
    this.#right = Math.max(...lines.map(({ right }) => right));
    const leadings = lines.slice(1).flatMap((line, at) => {
      const before = lines[at];
      if (before === undefined || Math.abs(before.size - line.size) > 0.6) return [];
      const ratio = (line.baseline - before.baseline) / line.size;
      return ratio > 0.8 && ratio < 1.9 ? [ratio] : [];
    });
    this.#leading =
      median(leadings.toSorted((a, b) => a - b).slice(0, Math.ceil(leadings.length * 0.8))) ?? 1.2;
  }

  blocks(): Block[] {
    const blocks: Block[] = [];
    let at = 0;
    while (at < this.#lines.length) {
      const code = this.#codeAt(at);
      if (code > at) {
        this.#open = [];
        blocks.push({ markdown: this.#code(at, code), isItem: false });
        at = code;
        continue;
      }
      const heading = this.#headingAt(at);
      if (heading !== null) {
        this.#open = [];
        blocks.push({ markdown: heading.markdown, isItem: false });
        at = heading.end;
        continue;
      }
      const end = this.#paragraphEnd(at);
      blocks.push(this.#paragraph(at, end));
      at = end;
    }
    return blocks;
  }

  /** Where code ends that begins at a line; the same line when none does. */
  #codeAt(start: number): number {
    let at = start;
    while (at < this.#lines.length && isCodeLine(this.#lines[at])) at += 1;
    const lines = this.#lines.slice(start, at);
    // One line of it may be a word in a paragraph, or an item of a list.
    const isCode = lines.length > 1 || (lines.length === 1 && this.#isApart(start));
    return isCode ? at : start;
  }

  #isApart(at: number): boolean {
    return (
      this.#hasGap(at) &&
      (at + 1 >= this.#lines.length || this.#hasGap(at + 1)) &&
      this.#itemAt(at) === null
    );
  }

  #code(start: number, end: number): string {
    const lines = this.#lines.slice(start, end);
    const left = Math.min(...lines.map((line) => line.left));
    const text: string[] = [];
    for (const [at, line] of lines.entries()) {
      const before = lines[at - 1];
      const gap = before === undefined ? 0 : line.baseline - before.baseline;
      if (before !== undefined && gap > line.size * this.#leading * 1.7) text.push("");
      text.push(spaced(line, left));
    }
    return fenced(text.join("\n"));
  }

  #headingAt(start: number): { markdown: string; end: number } | null {
    const first = this.#lines[start];
    if (first === undefined || this.#itemAt(start)?.isBullet === true) return null;
    const looks = this.#looks(start);
    let end = start + 1;
    let text = first.plain;
    let level = this.#style.levelOfTitle(text);
    // A heading may go over several lines.
    while (end < this.#lines.length && end < start + 4) {
      const next = this.#lines[end];
      if (next === undefined || this.#hasGap(end) || !isAlike(first, next)) break;
      const longer = joinLines(text, next.plain, this.#style.hyphens);
      const known = this.#style.levelOfTitle(longer);
      if (level !== undefined && known === undefined) break;
      if (looks === null && known === undefined) break;
      [text, level, end] = [longer, known ?? level, end + 1];
    }
    const isTitle = level !== undefined && (looks !== null || this.#hasGap(start) || first.isBold);
    if (!isTitle && looks === null) return null;
    if (!/\p{L}/u.test(text) || text.length > LONGEST_HEADING) return null;
    if (!isTitle && (/[,;]$/u.test(text) || /\.{5}|…/u.test(text))) return null;
    const marks = "#".repeat(Math.min(6, (isTitle ? level : looks) ?? 6));
    return { markdown: `${marks} ${escaped(text)}`, end };
  }

  /** The level that the look of a line speaks for; null for one that looks like running text. */
  #looks(at: number): number | null {
    const line = this.#lines[at];
    if (line === undefined) return null;
    const bySize = this.#style.levelOfSize(line.size);
    if (bySize !== undefined) return bySize;
    if (!line.isBold || this.#style.isBodyBold || line.size < this.#style.bodySize * 0.95)
      return null;
    if (!line.pieces.every(({ isBold, text }) => isBold || !/[\p{L}\p{N}]/u.test(text)))
      return null;
    const next = this.#lines[at + 1];
    const isAbove =
      this.#hasGap(at) && (next === undefined || !next.isBold || this.#hasGap(at + 1));
    const isShort = line.plain.length < 90 && !/[.,;:]$/u.test(line.plain);
    return isAbove && isShort ? this.#style.boldLevel : null;
  }

  /** True when more white than usual is above a line. */
  #hasGap(at: number): boolean {
    const [before, line] = [this.#lines[at - 1], this.#lines[at]];
    if (before === undefined || line === undefined) return true;
    const size = Math.max(before.size, line.size);
    return line.baseline - before.baseline > size * (this.#leading + PARAGRAPH_GAP);
  }

  #itemAt(at: number): Item | null {
    const line = this.#lines[at];
    if (line === undefined) return null;
    const item = itemOf(line);
    if (item === null || item.isBullet || item.number === 1 || this.#hasGap(at)) return item;
    // A paragraph may have a line that begins with a number.
    const isNext = this.#open.some(
      ({ last, marker }) =>
        last.isFollowedBy(item) && Math.abs(marker - line.left) < line.size * 1.5,
    );
    const before = this.#lines[at - 1];
    const isFull = before !== undefined && before.right > this.#right - line.size * 3;
    return isNext || !isFull ? item : null;
  }

  #paragraphEnd(start: number): number {
    let at = start + 1;
    while (at < this.#lines.length && !this.#isBreak(start, at)) at += 1;
    return at;
  }

  /** True when a line begins a new block. */
  #isBreak(start: number, at: number): boolean {
    const [first, before, line] = [this.#lines[start], this.#lines[at - 1], this.#lines[at]];
    if (first === undefined || before === undefined || line === undefined) return true;
    if (this.#hasGap(at) || this.#itemAt(at) !== null || this.#headingAt(at) !== null) return true;
    if (Math.abs(before.size - line.size) > line.size * 0.25) return true;
    if (this.#codeAt(at) > at) return true;
    const item = this.#itemAt(start);
    // A list ends where a line stands left of its texts.
    if (item !== null)
      return line.left < first.left + line.size * 0.3 && first.left + line.size < item.textLeft;
    const isIndented =
      line.left > before.left + line.size * 0.8 && (at - 1 > start || before.left < line.left);
    const next = this.#lines[at + 1];
    const isFirstLine = next === undefined || next.left < line.left - line.size * 0.6;
    return isIndented && isFirstLine && /[.!?:;»”"')\]]$/u.test(before.plain);
  }

  #paragraph(start: number, end: number): Block {
    const first = this.#lines[start];
    const item = this.#itemAt(start);
    const lines = this.#lines.slice(start, end);
    if (item !== null && first !== undefined) {
      const indent = this.#opened(first, item);
      const texts = [
        inlineMarkdown(item.pieces),
        ...lines.slice(1).map(({ pieces }) => inlineMarkdown(pieces)),
      ];
      const text = this.#joined(lines, texts, indent + " ".repeat(item.mark.length));
      return { markdown: `${indent}${item.mark}${text}`, isItem: true };
    }
    const inside = this.#openFor(first);
    const indent = inside === undefined ? "" : inside.indent + " ".repeat(inside.last.mark.length);
    const text = this.#joined(
      lines,
      lines.map(({ pieces }) => inlineMarkdown(pieces)),
      indent,
    );
    return { markdown: indent + asParagraph(text), isItem: false };
  }

  /** Closes the lists that an item does not stand in, and gives its indent. */
  #opened(line: Segment, item: Item): string {
    const near = line.size * 0.6;
    while ((this.#open.at(-1)?.marker ?? -Infinity) > line.left + near) this.#open.pop();
    const last = this.#open.at(-1);
    const isSame = last !== undefined && Math.abs(last.marker - line.left) <= near;
    if (isSame) {
      last.last = item;
      return last.indent;
    }
    const indent = last === undefined ? "" : last.indent + " ".repeat(last.last.mark.length);
    this.#open.push({ marker: line.left, text: item.textLeft, indent, last: item });
    return indent;
  }

  /** The open list in whose item a paragraph stands. */
  #openFor(line: Segment | undefined): OpenList | undefined {
    if (line === undefined) return undefined;
    while (this.#open.length > 0 && (this.#open.at(-1)?.text ?? 0) > line.left + line.size * 0.6)
      this.#open.pop();
    return this.#open.at(-1);
  }

  #joined(lines: readonly Segment[], texts: readonly string[], indent: string): string {
    return texts.reduce((text, next, at) => {
      const [before, line] = [lines[at - 1], lines[at]];
      if (at === 0 || before === undefined || line === undefined) return next;
      if (this.#isBrokenOff(before, line)) return `${text}  \n${indent}${asParagraph(next)}`;
      return joinLines(text, next, this.#style.hyphens);
    }, "");
  }

  /** True when the first word of a line would have had room at the end of the one before: it was put on a line of its own. */
  #isBrokenOff(before: Segment, line: Segment): boolean {
    if (/(?:[.·…]\s*){5,}[\divxlc]+$/u.test(before.plain)) return true;
    if (/[-\u2010\u00ad]$/u.test(before.plain)) return false;
    const [word = ""] = line.plain.split(" ");
    const width = ((line.right - line.left) / Math.max(1, line.plain.length)) * (word.length + 1);
    return this.#right - before.right > Math.max(width + line.size, line.size * 4);
  }
}

/** Alike enough to be lines of one heading. */
function isAlike(one: Segment, other: Segment): boolean {
  return Math.abs(one.size - other.size) < 0.6 && one.isBold === other.isBold;
}

function isCodeLine(line: Segment | undefined): boolean {
  return line?.pieces.every(({ isMono }) => isMono) === true && line.plain.length > 0;
}

/** A line of code with the spaces that its gaps stand for. */
function spaced({ pieces }: Segment, left: number): string {
  let text = "";
  for (const piece of pieces) {
    const width = (piece.right - piece.left) / Math.max(1, piece.text.length);
    const column = Math.round((piece.left - left) / Math.max(1, width));
    if (column > text.length) text = text.padEnd(Math.min(column, 400));
    text += piece.text;
  }
  return text.trimEnd();
}
