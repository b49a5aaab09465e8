import { useEffect, useMemo, useRef, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import type { LineRange } from "../app/addresses.ts";
import { HEADING_ID, renderBlocks } from "./blocks.tsx";
import { parseMarkdown, slugOf } from "./parse.ts";

export interface MarkdownProps {
  readonly text: string;
  /** The file it is from: `vault/…` */
  readonly file: string;
  /** Lines of the file before this text. */
  readonly linesBefore?: number;
  /** The lines that are marked, and brought into sight. */
  readonly marked?: LineRange | null;
  /** The heading that is brought into sight. */
  readonly anchor?: string | null;
}

/** A note as it is read. */
export function Markdown(props: MarkdownProps): ReactNode {
  const { text, file, linesBefore = 0, marked = null, anchor = null } = props;
  const { files } = useServices();
  const known = useStore(files.paths);
  const box = useRef<HTMLDivElement>(null);
  const parsed = useMemo(() => parseMarkdown(text), [text]);
  const blocks = useMemo(() => {
    const note = { ...parsed, file, known, linesBefore, marked };
    return (
      <>
        {renderBlocks(parsed.root.children, text, note)}
        {parsed.footnotes.size === 0 ? null : (
          <section className="footnotes">
            <ol>
              {[...parsed.footnotes.values()].map(({ identifier, children }) => (
                <li key={identifier} id={`fn-${identifier}`}>
                  {renderBlocks(children, text, note)}
                </li>
              ))}
            </ol>
          </section>
        )}
      </>
    );
  }, [parsed, text, file, known, linesBefore, marked]);

  // Only on navigation: a change of the text must not scroll the page.
  const place = marked === null ? anchor : `${marked.start}-${marked.end}`;
  useEffect(() => {
    if (place === null || box.current === null) return;
    const heading =
      anchor === null
        ? null
        : box.current.querySelector(`#${CSS.escape(HEADING_ID + slugOf(anchor))}`);
    const found = heading ?? box.current.querySelector(".marked");
    found?.scrollIntoView({ block: heading === null ? "center" : "start" });
  }, [place, anchor, file]);

  return (
    <div ref={box} className="prose">
      {blocks}
    </div>
  );
}
