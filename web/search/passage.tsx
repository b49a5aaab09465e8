import { Fragment, useMemo, type ReactNode } from "react";

import type { SearchResult } from "../../src/server/api/contract.ts";
import { Link } from "../app/link.tsx";
import { fileAddress, formatLines } from "../app/addresses.ts";
import { excerptOf, rangeOf } from "./excerpt.ts";
import { markWords } from "./highlight-words.ts";

interface PassageProps {
  readonly result: SearchResult;
  readonly words: readonly string[];
}

/** A search result with the words of the query marked. Opens the file at its lines. */
export function Passage({ result, words }: PassageProps): ReactNode {
  const { path, heading } = result;
  const shown = useMemo(() => excerptOf(result), [result]);
  const lines = rangeOf(result.text_lines);
  return (
    <article className="relative -mx-3 rounded-lg px-3 py-3 hover:bg-panel">
      <h2 className="font-semibold [overflow-wrap:anywhere]">
        {/* The whole passage can be clicked; a screen reader announces only its heading as the link. */}
        <Link
          to={fileAddress(path, lines)}
          className="text-accent after:absolute after:inset-0 after:rounded-lg"
        >
          <MarkedWords text={heading ?? path} words={words} />
        </Link>
      </h2>
      <p className="text-xs text-muted [overflow-wrap:anywhere]">
        {path} · {lines === null ? result.lines : formatLines(lines)}
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
