import type { ReactNode } from "react";

import type { LinksAnswer, NoteLink } from "../../src/server/api/contract.ts";
import { fileAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";
import { nameOf } from "../tree/paths.ts";
import { LinkGraph } from "./link-graph.tsx";

/** Lines are cut: one can be a whole paragraph. */
const LONGEST = 240;

/** What links to a note, with the lines that do, and a small picture of what is around it. */
export function Backlinks({
  path,
  links,
}: {
  readonly path: string;
  readonly links: LinksAnswer | null;
}): ReactNode {
  if (links === null) return null;
  const notes = Map.groupBy(links.incoming, (link) => link.path);
  if (notes.size === 0 && links.outgoing.length === 0) return null;
  return (
    <section aria-label={texts.links.around} className="mt-12 border-t border-line pt-6 text-sm">
      {notes.size === 0 ? null : (
        <>
          <h2 className="mb-2 text-base font-semibold">{texts.links.backlinks(notes.size)}</h2>
          <ul className="space-y-3">
            {[...notes].map(([from, lines]) => (
              <li key={from}>
                <Link to={fileAddress(from)} className="font-medium text-accent hover:underline">
                  {nameOf(from).replace(/\.md$/u, "")}
                </Link>
                <ul className="mt-0.5 space-y-0.5">
                  {lines.map((link) => (
                    <li key={link.line}>
                      <LinkLine link={link} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
      <LinkGraph path={path} links={links} />
    </section>
  );
}

function LinkLine({ link: { path, line, text } }: { readonly link: NoteLink }): ReactNode {
  const shown = text.trim();
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
  return (
    <Link
      to={fileAddress(path, { start: line, end: line })}
      className="block rounded px-2 py-1 text-muted [overflow-wrap:anywhere] hover:bg-code hover:text-ink"
    >
      {cut}
    </Link>
  );
}
