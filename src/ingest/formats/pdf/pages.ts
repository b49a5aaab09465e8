import { plainCell } from "../../convert/markdown-table.ts";
import { documentStyle, type OutlineEntry } from "./document-style.ts";
import { escaped, inlineMarkdown } from "./inline.ts";
import type { PageContent } from "./page-content.ts";
import { layoutMarkdown, pageLines } from "./page-layout.ts";
import type { Piece } from "./piece.ts";
import { hasSpace, rowsOf, segmentOf } from "./segment.ts";
import { hasHeadings, hasStructure, taggedMarkdown } from "./tagged.ts";

/** A page with more parts is a drawing, or was made to keep its reader busy. */
const MOST_PIECES = 8000;

export function isTooFull({ pieces }: PageContent): boolean {
  return pieces.length > MOST_PIECES;
}

/** The pages of a PDF as markdown: by the document's tags where they are worth it, else by its layout; those that are too full as plain text. */
export function pagesMarkdown(
  pages: readonly PageContent[],
  outline: readonly OutlineEntry[],
): string[] {
  const lines = pages.map((page) => pageLines(isTooFull(page) ? [] : page.pieces, page));
  const style = documentStyle(
    lines.map(({ segments, tables }) => segments.filter((each) => !tables.has(each))),
    outline,
  );
  const isTagged = hasStructure(pages);
  const areHeadingsTagged = isTagged && hasHeadings(pages);
  return pages.map((page, at) => {
    const own = lines[at];
    if (own === undefined) return "";
    if (isTooFull(page)) return plainText(page);
    const tagged = isTagged
      ? taggedMarkdown(page, style, own.isRightToLeft, areHeadingsTagged)
      : null;
    const main =
      tagged === null
        ? layoutMarkdown(own, style)
        : `${tagged.markdown}\n\n${layoutMarkdown(pageLines(tagged.rest, { ...page, rules: [] }), style)}`;
    return [main, ...turnedMarkdown(page), remarksMarkdown(page)]
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n\n");
  });
}

/** The text in the order in which it is drawn. */
function plainText({ pieces }: PageContent): string {
  let text = "";
  let before: Piece | undefined;
  for (const piece of pieces) {
    const isSameLine =
      before !== undefined && Math.abs(before.baseline - piece.baseline) < piece.size * 0.5;
    const isJoined = isSameLine && before !== undefined && !hasSpace(before, piece);
    text += isJoined ? "" : isSameLine ? " " : "\n";
    text += escaped(piece.text);
    before = piece;
  }
  return text.trim();
}

/** Text that runs upwards, downwards or upside down: its lines, after the others. */
function turnedMarkdown({ turned }: PageContent): string[] {
  return turned.map((pieces) =>
    rowsOf(pieces)
      .map((row) => inlineMarkdown(segmentOf(row, false).pieces))
      .join("  \n"),
  );
}

function remarksMarkdown({ remarks }: PageContent): string {
  return remarks
    .map(({ author, text }) => {
      const who = author === "" ? "" : `${plainCell(author)}: `;
      return `> Comment: ${who}${plainCell(text.replaceAll(/\s+/gu, " "))}`;
    })
    .join("\n>\n");
}
