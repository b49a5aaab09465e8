import type { ReactNode } from "react";

import type { AdoptionAnswer } from "../../src/server/api/contract.ts";
import { DiffTable } from "../history/diff-table.tsx";
import { diffRows } from "../history/diff-rows.ts";
import { texts } from "../texts/texts.ts";

/** What "into all notes" would do to some notes, folded. */
export function AdoptExamples({
  examples,
}: {
  readonly examples: AdoptionAnswer["examples"];
}): ReactNode {
  if (examples.length === 0) return null;
  return (
    <details className="mt-3 text-sm">
      <summary className="cursor-pointer text-muted">
        {texts.adopt.examples(examples.length)}
      </summary>
      {examples.map(({ path, hunks }) => (
        <figure key={path} className="mt-3">
          <figcaption className="mb-1 font-mono text-xs text-muted">{path}</figcaption>
          <DiffTable rows={diffRows(hunks)} />
        </figure>
      ))}
    </details>
  );
}
