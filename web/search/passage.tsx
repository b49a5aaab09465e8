import { Fragment, useMemo, type ReactNode } from "react";

import type { SearchResult } from "../../src/server/contract.ts";
import { Link } from "../app/link.tsx";
import { fileRoute, formatLines } from "../app/route.ts";
import { texts } from "../texts/texts.ts";
import { markWords } from "./highlight-words.ts";
import { excerptText } from "./excerpt.ts";
import {
  parseNumbered,
  rangeOf,
  withoutSurroundings,
  type NumberedLine,
} from "./numbered-lines.ts";

interface PassageProps {
  readonly result: SearchResult;
  readonly words: readonly string[];
}

/** Lines around the best ones. */
const MOST_LINES = 6;

/** One thing that was found, with the words that were looked for marked. Leads to its lines in the file. */
export function Passage({ result, words }: PassageProps): ReactNode {
  const { path, heading, lines: range } = result;
  const all = useMemo(
    () => withoutSurroundings(parseNumbered(result.chunk_with_context), range),
    [result.chunk_with_context, range],
  );
  const shown = useMemo(() => bestLines(all, words), [all, words]);
  const lines = rangeOf(all);
  const shownRange = lines === null ? range : formatLines(lines);
  return (
    <Link
      to={fileRoute(path, lines)}
      aria-label={texts.search.openAt(path, shownRange)}
      className="-mx-3 block rounded-lg px-3 py-3 hover:bg-panel"
    >
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold text-accent [overflow-wrap:anywhere]">
          <MarkedWords text={heading ?? path} words={words} />
        </span>
      </span>
      <span className="block text-xs text-muted [overflow-wrap:anywhere]">
        {path} · {shownRange}
      </span>
      <span className="mt-1.5 block text-sm">
        {shown.map(({ number, text }) => (
          <span key={number} className="block [overflow-wrap:anywhere]">
            <MarkedWords text={text} words={words} />
          </span>
        ))}
      </span>
    </Link>
  );
}

function MarkedWords({
  text,
  words,
}: {
  readonly text: string;
  readonly words: readonly string[];
}): ReactNode {
  return markWords(text, words).map((piece, index) =>
    piece.isMatch ? (
      <mark key={index}>{piece.text}</mark>
    ) : (
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  );
}

/** The stretch of lines with the most of the words in it; the heading is shown already. */
function bestLines(lines: readonly NumberedLine[], words: readonly string[]): NumberedLine[] {
  const full = lines
    .map(({ number, text }) => ({ number, text: excerptText(text) }))
    .filter(({ text }) => text !== "");
  const counts = full.map(
    ({ text }) => markWords(text, words).filter(({ isMatch }) => isMatch).length,
  );
  const sumFrom = (start: number): number =>
    counts.slice(start, start + MOST_LINES).reduce((sum, count) => sum + count, 0);
  let best = 0;
  for (let start = 1; start + MOST_LINES <= full.length; start += 1) {
    if (sumFrom(start) > sumFrom(best)) best = start;
  }
  return full.slice(best, best + MOST_LINES);
}
