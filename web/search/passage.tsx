import { Fragment, useMemo, type ReactNode } from "react";

import type { SearchResult } from "../../src/server/api/contract.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { Link } from "../app/link.tsx";
import { fileAddress, formatLines, parseLines } from "../app/addresses.ts";
import { meaningsOf, type LinkMeanings } from "../links/link-meanings.ts";
import { useNoteLinks } from "../links/use-note-links.ts";
import { renderBlocks } from "../markdown/blocks.tsx";
import { Embed } from "../markdown/embeds/embed.tsx";
import { parseMarkdown } from "../markdown/parse.ts";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { excerptLines, rangeOf } from "./excerpt.ts";
import { markWords } from "./highlight-words.ts";

/** Links whose meaning only the service knows. */
const LINK = /\[\[|\]\(/u;

interface FileResultsProps {
  readonly path: string;
  /** Of this file, the best first. */
  readonly results: readonly SearchResult[];
  readonly words: readonly string[];
}

/** What was found in one file, with its passages as they are read, the words of the query marked. */
export function FileResults({ path, results, words }: FileResultsProps): ReactNode {
  const hasLinks = results.some(({ text_lines }) => text_lines.some(({ text }) => LINK.test(text)));
  const links = useNoteLinks(hasLinks ? path : null);
  const meanings = useMemo(() => (links === null ? null : meaningsOf(links)), [links]);
  return (
    <section className="border-b border-line py-4" aria-label={path}>
      <h2 className="text-sm [overflow-wrap:anywhere]">
        <Link to={fileAddress(path)} className="font-semibold hover:text-accent hover:underline">
          {nameOf(path)}
        </Link>{" "}
        <span className="text-xs text-muted">{path}</span>
      </h2>
      {results.map((result) => (
        <Passage key={result.lines} result={result} words={words} meanings={meanings} />
      ))}
    </section>
  );
}

interface PassageProps {
  readonly result: SearchResult;
  readonly words: readonly string[];
  readonly meanings: LinkMeanings | null;
}

/** Opens the file at its lines; links in it lead where they lead. */
function Passage({ result, words, meanings }: PassageProps): ReactNode {
  const { files } = useServices();
  const known = useStore(files.paths);
  const { path, heading } = result;
  const lines = rangeOf(result.text_lines);
  const shown = useMemo(() => {
    const source = excerptLines(result);
    const parsed = parseMarkdown(source);
    return renderBlocks(parsed.root.children, source, {
      ...parsed,
      file: path,
      known,
      linesBefore: 0,
      marked: null,
      meanings,
      embed: Embed,
      // A passage shows no other note in it.
      within: ["", "", ""],
      highlight: (text) => markedWords(text, words),
    });
  }, [result, path, known, words, meanings]);
  return (
    <article className="relative -mx-3 rounded-lg px-3 py-2 hover:bg-panel">
      <h3 className="text-sm font-semibold [overflow-wrap:anywhere]">
        {/* The whole passage can be clicked; a screen reader announces only its heading as the link. */}
        <Link
          to={fileAddress(path, lines)}
          className="text-accent after:absolute after:inset-0 after:rounded-lg"
        >
          {markedWords(heading ?? nameOf(path), words)}
        </Link>
        <span className="ml-2 text-xs font-normal text-muted">
          {lines === null ? result.lines : formatLines(lines)}
          {result.replaced === null ? null : (
            <>
              {" "}
              · {texts.search.replaced(result.replaced.date)} →{" "}
              <Link
                to={fileAddress(result.replaced.path, parseLines(result.replaced.lines))}
                className="relative z-10 hover:text-accent hover:underline"
              >
                {result.replaced.path} {result.replaced.lines}
              </Link>
            </>
          )}
        </span>
      </h3>
      <div className="passage prose mt-1">{shown}</div>
    </article>
  );
}

function markedWords(text: string, words: readonly string[]): ReactNode {
  return markWords(text, words).map((piece, index) =>
    piece.isMatch ? (
      <mark key={index}>{piece.text}</mark>
    ) : (
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  );
}
