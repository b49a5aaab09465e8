import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { renderBlocks } from "./blocks.tsx";
import { footnoteName } from "./footnote-name.ts";
import type { NoteContext } from "./note-context.ts";

interface FootnotesProps {
  /** What the footnotes were parsed from. */
  readonly text: string;
  readonly note: NoteContext;
}

/** The footnotes of a note, below it; each leads back to where it is called. */
export function Footnotes({ text, note }: FootnotesProps): ReactNode {
  if (note.footnotes.size === 0) return null;
  return (
    <section className="footnotes" aria-label={texts.note.footnotes}>
      <ol>
        {[...note.footnotes.values()].map(({ identifier, children }) => {
          const name = footnoteName(identifier, note);
          return (
            <li key={identifier} id={`fn-${name}`}>
              {renderBlocks(children, text, note)}
              <a href={`#fnref-${name}`} aria-label={texts.note.footnoteBack}>
                ↩
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
