import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { inboxAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import type { Answering } from "./composer-model.ts";

/** Says that what is written answers an inbox item. */
export function AnsweringBanner({ answering }: { readonly answering: Answering }): ReactNode {
  const { composer } = useServices();
  const { ref, title } = answering;
  return (
    <div className="flex items-center gap-2 rounded-t-2xl border-b border-line bg-accent-soft py-1.5 pl-4 pr-2 text-sm">
      <Icon name="inbox" className="size-3.5" />
      <span className="shrink-0">{texts.composer.answering}</span>
      <Link to={inboxAddress(ref)} className="truncate font-medium hover:underline">
        {title}
      </Link>
      <button
        type="button"
        aria-label={texts.composer.stopAnswering}
        className="ml-auto grid size-7 shrink-0 place-items-center rounded-md hover:bg-code"
        onClick={() => composer.change({ answering: null })}
      >
        <Icon name="close" className="size-3.5" />
      </button>
    </div>
  );
}
