import { tableMarkdown } from "../../convert/markdown-table.ts";
import type { DocumentStyle } from "./document-style.ts";
import { asParagraph, escaped, inlineMarkdown, joinLines } from "./inline.ts";
import type { PageContent, TagNode } from "./page-content.ts";
import { around, type Piece } from "./piece.ts";
import { isMarker, segmentOf, segmentsOf, rowsOf, type Segment } from "./segment.ts";

/*
 * Tagged documents say what each part of a page is. Tags are used when they cover a page and say more than that it has paragraphs.
 */

const STRUCTURE = /^(?:H[1-6]?|Title|L|Table)$/u;
const LEAST_COVERED = 0.8;

/** True when the tags of any page name headings, lists or tables. */
export function hasStructure(pages: readonly PageContent[]): boolean {
  return pages.some(
    ({ tags }) => tags !== null && someNode(tags, ({ role }) => STRUCTURE.test(role)),
  );
}

export function hasHeadings(pages: readonly PageContent[]): boolean {
  return pages.some(
    ({ tags }) => tags !== null && someNode(tags, ({ role }) => /^(?:H[1-6]?|Title)$/u.test(role)),
  );
}

function someNode(node: TagNode, test: (node: TagNode) => boolean): boolean {
  return test(node) || node.children.some((child) => "role" in child && someNode(child, test));
}

/** What the tags of a page do not cover, with what they do; null when that is too little to go by. */
export function taggedMarkdown(
  page: PageContent,
  style: DocumentStyle,
  isRightToLeft: boolean,
  areHeadingsTagged: boolean,
): { readonly markdown: string; readonly rest: readonly Piece[] } | null {
  if (page.tags === null) return null;
  const marks = new Set<string>();
  collectMarks(page.tags, marks);
  const covered = page.pieces.filter(({ mark }) => mark !== undefined && marks.has(mark));
  const content = page.pieces.filter(({ mark }) => mark !== "artifact");
  if (lettersOf(covered) < lettersOf(content) * LEAST_COVERED || covered.length === 0) return null;
  const writer = new TagWriter(covered, style, isRightToLeft, areHeadingsTagged);
  const markdown = writer.markdown(page.tags);
  const rest = page.pieces.filter(({ mark }) => mark === undefined || !writer.written.has(mark));
  return { markdown, rest };
}

function collectMarks(node: TagNode, marks: Set<string>): void {
  for (const child of node.children) {
    if ("mark" in child) marks.add(child.mark);
    else collectMarks(child, marks);
  }
}

function lettersOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.trim().length, 0);
}

const BLOCKS =
  /^(?:Document|DocumentFragment|Part|Art|Sect|Div|NonStruct|Private|Aside|P|H[1-6]?|Title|L|LI|Table|TR|T(?:Head|Body|Foot)|TOC|TOCI|BlockQuote|Caption|Figure|Formula|Index|Form|Note|FENote)$/u;

class TagWriter {
  /** The marks whose text is in what was written. */
  readonly written = new Set<string>();
  readonly #pieces: ReadonlyMap<string, readonly Piece[]>;
  readonly #style: DocumentStyle;
  readonly #isRightToLeft: boolean;
  readonly #areHeadingsTagged: boolean;

  constructor(
    pieces: readonly Piece[],
    style: DocumentStyle,
    isRightToLeft: boolean,
    areHeadingsTagged: boolean,
  ) {
    this.#pieces = Map.groupBy(pieces, ({ mark }) => mark ?? "");
    this.#style = style;
    this.#isRightToLeft = isRightToLeft;
    this.#areHeadingsTagged = areHeadingsTagged;
  }

  markdown(node: TagNode): string {
    return this.#blocks(node, 0)
      .filter((part) => part.trim() !== "")
      .join("\n\n");
  }

  /** What stands in a node, one text for each block. */
  #blocks(node: TagNode, depth: number): string[] {
    const { role } = node;
    if (role === "Table") return [this.#table(node)];
    if (role === "L") return [this.#list(node, 0)];
    const heading =
      /^H([1-6])$/u.exec(role)?.[1] ?? (role === "H" || role === "Title" ? "1" : null);
    if (heading !== null) return [this.#heading(node, Number(heading))];
    if (!node.children.some((child) => "role" in child && BLOCKS.test(child.role)))
      return [this.#paragraph(node)];
    const found: string[] = [];
    let loose: TagNode["children"][number][] = [];
    const flush = (): void => {
      if (loose.length > 0) found.push(this.#paragraph({ role: "P", children: loose }));
      loose = [];
    };
    for (const child of node.children) {
      if ("role" in child && BLOCKS.test(child.role)) {
        flush();
        found.push(...this.#blocks(child, depth + 1));
      } else loose.push(child);
    }
    flush();
    return found;
  }

  #heading(node: TagNode, level: number): string {
    const text = this.#plain(node);
    return text === "" ? "" : `${"#".repeat(level)} ${escaped(text)}`;
  }

  #plain(node: TagNode): string {
    return this.#lines(node).reduce(
      (text, { plain }) => joinLines(text, plain, this.#style.hyphens),
      "",
    );
  }

  #paragraph(node: TagNode): string {
    const lines = this.#lines(node);
    const [first] = lines;
    if (first === undefined) return "";
    const level = this.#style.levelOfSize(first.size);
    const text = this.#plain(node);
    const isHeading =
      !this.#areHeadingsTagged && level !== undefined && /\p{L}/u.test(text) && text.length < 200;
    if (isHeading) return `${"#".repeat(level)} ${escaped(text)}`;
    return asParagraph(this.#text(lines));
  }

  #text(lines: readonly Segment[]): string {
    return lines.reduce(
      (text, { pieces }) => joinLines(text, inlineMarkdown(pieces), this.#style.hyphens),
      "",
    );
  }

  #lines(node: TagNode): Segment[] {
    const pieces = this.#piecesOf(node);
    return rowsOf(segmentsOf(pieces, this.#isRightToLeft)).map((row) =>
      segmentOf(
        row.flatMap((each) => each.pieces),
        this.#isRightToLeft,
      ),
    );
  }

  #piecesOf(node: TagNode, isInner: (node: TagNode) => boolean = () => true): Piece[] {
    return node.children.flatMap((child) => {
      if ("mark" in child) {
        this.written.add(child.mark);
        return this.#pieces.get(child.mark) ?? [];
      }
      return isInner(child) ? this.#piecesOf(child, isInner) : [];
    });
  }

  #list(node: TagNode, depth: number): string {
    const lines: string[] = [];
    for (const child of node.children) {
      if (!("role" in child)) continue;
      if (child.role === "L") lines.push(this.#list(child, depth + 1));
      else lines.push(...this.#item(child, depth));
    }
    return lines.filter((line) => line !== "").join("\n");
  }

  #item(node: TagNode, depth: number): string[] {
    const indent = "   ".repeat(depth);
    const inner: TagNode[] = [];
    collectLists(node, inner);
    const label = this.#labelOf(node);
    const pieces = this.#piecesOf(node, ({ role }) => role !== "L" && role !== "Lbl");
    const rows = rowsOf(segmentsOf(pieces, this.#isRightToLeft)).map((row) =>
      segmentOf(
        row.flatMap((each) => each.pieces),
        this.#isRightToLeft,
      ),
    );
    const text = this.#text(rows);
    const [first = ""] = text.split(/\s+/u, 1);
    const found = label !== "" ? label : isMarker(first) ? first : "";
    const body = label === "" && found !== "" ? text.slice(found.length).trim() : text;
    const number = /^\(?(\d{1,4})[.)]?$/u.exec(found)?.[1];
    const isLetter = /^\(?\p{L}{1,4}[.)]$/u.test(found);
    const mark = number !== undefined ? `${Number(number)}. ` : isLetter ? `- ${found} ` : "- ";
    const own = body === "" ? [] : [`${indent}${mark}${body}`];
    return [...own, ...inner.map((list) => this.#list(list, depth + (own.length === 0 ? 0 : 1)))];
  }

  #labelOf(node: TagNode): string {
    const label = node.children.find((child) => "role" in child && child.role === "Lbl");
    return label !== undefined && "role" in label ? this.#plain(label) : "";
  }

  /** Row by row; a cell over several columns leaves the others empty. */
  #table(node: TagNode): string {
    const rows: TagNode[] = [];
    collectRows(node, rows);
    const cells = rows.map((row) =>
      row.children.flatMap((child) =>
        "role" in child && /^T[HD]$/u.test(child.role) ? [child] : [],
      ),
    );
    const width = Math.max(0, ...cells.map((row) => row.length));
    const lefts = this.#columnLefts(cells, width);
    const texts = cells.map((row) => {
      const line = Array.from({ length: width }, () => "");
      for (const [at, cell] of row.entries()) {
        const pieces = this.#piecesOf(cell);
        const place = row.length === width ? at : nearest(lefts, pieces, at);
        line[place] = [line[place], this.#text(this.#lines(cell))]
          .filter((text) => text !== "")
          .join(" ");
      }
      return line;
    });
    const caption = node.children.find((child) => "role" in child && child.role === "Caption");
    const head =
      caption !== undefined && "role" in caption ? `${this.#paragraph(caption)}\n\n` : "";
    return width < 2
      ? texts
          .flat()
          .filter((text) => text !== "")
          .join("\n\n")
      : head + tableMarkdown(texts);
  }

  #columnLefts(cells: readonly (readonly TagNode[])[], width: number): (number | undefined)[] {
    const whole = cells.filter((row) => row.length === width);
    return Array.from({ length: width }, (_, at) => {
      const lefts = whole.flatMap((row) => {
        const cell = row[at];
        const pieces = cell === undefined ? [] : this.#piecesOf(cell);
        return pieces.length === 0 ? [] : [around(pieces).left];
      });
      return lefts.length === 0 ? undefined : Math.min(...lefts);
    });
  }
}

function nearest(
  lefts: readonly (number | undefined)[],
  pieces: readonly Piece[],
  at: number,
): number {
  if (pieces.length === 0) return at;
  const { left } = around(pieces);
  let best = at;
  for (const [column, place] of lefts.entries()) {
    const found = lefts[best];
    if (
      place !== undefined &&
      (found === undefined || Math.abs(place - left) < Math.abs(found - left))
    )
      best = column;
  }
  return best;
}

function collectLists(node: TagNode, found: TagNode[]): void {
  for (const child of node.children) {
    if (!("role" in child)) continue;
    if (child.role === "L") found.push(child);
    else collectLists(child, found);
  }
}

function collectRows(node: TagNode, found: TagNode[]): void {
  for (const child of node.children) {
    if (!("role" in child) || child.role === "Table") continue;
    if (child.role === "TR") found.push(child);
    else collectRows(child, found);
  }
}
