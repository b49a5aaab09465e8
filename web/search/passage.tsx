import { Fragment, useMemo, type ReactNode } from "react";

import type { SearchResult } from "../../src/server/api/contract.ts";
import { Link } from "../app/link.tsx";
import { fileRoute, formatLines } from "../app/route.ts";
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
    <article className="relative -mx-3 rounded-lg px-3 py-3 hover:bg-panel">
      <h2 className="font-semibold [overflow-wrap:anywhere]">
        {/* All of the passage can be clicked, but only its heading is read out as the link. */}
        <Link
          to={fileRoute(path, lines)}
          className="text-accent after:absolute after:inset-0 after:rounded-lg"
        >
          <MarkedWords text={heading ?? path} words={words} />
        </Link>
      </h2>
      <p className="text-xs text-muted [overflow-wrap:anywhere]">
        {path} · {shownRange}
      </p>
      <div className="mt-1.5 text-sm">
        {shown.map(({ number, text }) => (
          <p key={number} className="[overflow-wrap:anywhere]">
            <MarkedWords text={text} words={words} />
          </p>
        ))}
      </div>
    </article>
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
