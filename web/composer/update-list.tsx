import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { UpdateCard } from "./update-card.tsx";

/** The updates that were sent, with their results. */
export function UpdateList(): ReactNode {
  const { updates } = useServices();
  const shown = useStore(updates.shown);
  return (
    <section
      aria-label={texts.update.label}
      aria-live="polite"
      className="scroll-quiet max-h-[40vh] overflow-y-auto px-3 sm:px-8"
    >
      <div className="mx-auto max-w-[46rem] space-y-2 pb-1">
        {shown.map((update) => (
          <UpdateCard key={update.id} update={update} />
        ))}
      </div>
    </section>
  );
}
