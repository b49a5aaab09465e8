import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";
import type { Completions } from "./use-completions.ts";

export const COMPLETION_LIST = "completions";

export function completionId(at: number): string {
  return `completion-${at}`;
}

/** Filters to choose with the arrow keys or a click, above the input. */
export function CompletionList({ completions }: { readonly completions: Completions }): ReactNode {
  const { filters, chosen, take } = completions;
  if (filters.length === 0) return null;
  return (
    <div
      id={COMPLETION_LIST}
      role="listbox"
      aria-label={texts.composer.filters}
      className="flex flex-wrap gap-1.5 px-3 pt-2.5"
    >
      {filters.map(({ text, files }, at) => (
        <div
          key={text}
          id={completionId(at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === chosen}
          className="cursor-pointer rounded-md border border-line px-2 py-0.5 text-sm text-muted hover:bg-code hover:text-ink aria-selected:border-strong-line aria-selected:bg-code aria-selected:text-ink"
          // The input keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(text)}
        >
          {text} <span className="text-xs tabular-nums opacity-70">{files}</span>
        </div>
      ))}
    </div>
  );
}
