import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { texts } from "../texts/texts.ts";

/** Says that what is in the input came from another app, and what follows from that. */
export function SharedBanner(): ReactNode {
  const { composer } = useServices();
  return (
    <div className="flex flex-wrap items-center gap-x-2 rounded-t-2xl border-b border-line bg-accent-soft py-1.5 pl-4 pr-2 text-sm">
      <span>{texts.composer.shared}</span>
      <button
        type="button"
        className="ml-auto min-h-9 rounded-md px-2 font-medium text-accent hover:bg-code"
        onClick={() => composer.change({ isShared: false })}
      >
        {texts.composer.sharedIsMine}
      </button>
    </div>
  );
}
