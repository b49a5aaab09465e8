import { columnMarkdown } from "./blocks.ts";
import type { DocumentStyle } from "./document-style.ts";
import { ruledTables } from "./grids.ts";
import { asParagraph, inlineMarkdown } from "./inline.ts";
import type { PageContent } from "./page-content.ts";
import { median, mirrored, overlap, type Box, type Piece, type Rule } from "./piece.ts";
import { regionsOf } from "./regions.ts";
import { segmentsOf, withMarkers, type Segment } from "./segment.ts";
import { tableText, type Table } from "./tables.ts";

/** A page in lines, before it is known what the whole document looks like. */
export interface PageLines {
  readonly segments: readonly Segment[];
  readonly rules: readonly Rule[];
  readonly tables: ReadonlyMap<Segment, Table>;
  readonly isRightToLeft: boolean;
  /** Large letters that lie behind the text or over it: a stamp, a watermark. */
  readonly stamps: readonly Segment[];
}

export function pageLines(pieces: readonly Piece[], page: PageContent): PageLines {
  const isRightToLeft = runsRightToLeft(pieces);
  const seen = isRightToLeft ? pieces.map((each) => mirrored(each, page.width)) : pieces;
  const rules = isRightToLeft ? page.rules.map((each) => mirrored(each, page.width)) : page.rules;
  const stamps = stampsOf(seen);
  const flow = seen.filter((each) => !stamps.has(each));
  const { tables, rest } = ruledTables(flow, rules, isRightToLeft);
  const segments = withMarkers(segmentsOf(rest, isRightToLeft), isRightToLeft);
  const placed = new Map(tables.map((table) => [segmentFor(table), table]));
  return {
    segments: [...segments, ...placed.keys()],
    rules,
    tables: placed,
    isRightToLeft,
    stamps: segmentsOf([...stamps], isRightToLeft),
  };
}

/** So much larger than the text. */
const STAMP = 2.5;

function stampsOf(pieces: readonly Piece[]): Set<Piece> {
  const usual = median(pieces.map(({ size }) => size)) ?? 0;
  return new Set(
    pieces.filter((piece) => {
      if (piece.size < usual * STAMP) return false;
      const covered = pieces.filter((other) => other.size < piece.size && isOver(piece, other));
      return covered.length > 1;
    }),
  );
}

function isOver(one: Box, other: Box): boolean {
  return (
    overlap([one.left, one.right], [other.left, other.right]) > 2 &&
    overlap([one.top, one.bottom], [other.top, other.bottom]) > 2
  );
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu;

function runsRightToLeft(pieces: readonly Piece[]): boolean {
  const text = pieces.map((piece) => piece.text).join("");
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(RIGHT_TO_LEFT)?.length ?? 0) > letters * 0.4;
}

/** Stands for a table among the lines of a page. */
function segmentFor({ left, right, top, bottom }: Table): Segment {
  const box = { left, right, top, bottom, baseline: (top + bottom) / 2, size: 10 };
  return { ...box, pieces: [], isBold: false, isMono: false, plain: "" };
}

/** A page as markdown, by the look of it. */
export function layoutMarkdown(page: PageLines, style: DocumentStyle): string {
  const running = page.segments.filter((each) => style.isRunning(each));
  const flow = page.segments.filter((each) => !style.isRunning(each));
  const middle = flow.reduce((sum, { baseline }) => sum + baseline, 0) / Math.max(1, flow.length);
  const head = running.filter(({ baseline }) => baseline < middle);
  const foot = running.filter(({ baseline }) => baseline >= middle);
  const parts = regionsOf(flow, page).map((region) =>
    region.kind === "table"
      ? tableText(region, style.hyphens)
      : columnMarkdown(region.lines, style),
  );
  return [runningMarkdown(head), ...parts, runningMarkdown(foot), runningMarkdown(page.stamps)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function runningMarkdown(segments: readonly Segment[]): string {
  const texts = segments.map(({ pieces }) => inlineMarkdown(pieces));
  return asParagraph(texts.join(" · "));
}
