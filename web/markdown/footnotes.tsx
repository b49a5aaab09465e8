import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import { renderBlocks } from "./blocks.tsx";
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
        {[...note.footnotes.values()].map(({ identifier, children }) => (
          <li key={identifier} id={`fn-${identifier}`}>
            {renderBlocks(children, text, note)}
            <a href={`#fnref-${identifier}`} aria-label={texts.note.footnoteBack}>
              ↩
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
