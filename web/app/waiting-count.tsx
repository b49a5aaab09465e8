import type { ReactNode } from "react";

import { texts } from "../texts/texts.ts";

/** How many items wait in the inbox; nothing when none does. */
export function WaitingCount({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null;
  return (
    <span className="inline-block min-w-5 rounded-full bg-accent px-1.5 text-center text-xs/5 font-semibold text-on-accent">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{texts.nav.waiting(count)}</span>
    </span>
  );
}
