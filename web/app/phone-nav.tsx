import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import { inboxAddress } from "./addresses.ts";
import { Link } from "./link.tsx";
import { WaitingCount } from "./waiting-count.tsx";

interface PhoneNavProps {
  readonly isOpen: boolean;
  /** Without the inbox, because something is being written in the same row. */
  readonly isShort: boolean;
  readonly onOpen: () => void;
}

/** The ways on a narrow screen, at its lower edge, where a thumb reaches them. */
export function PhoneNav({ isOpen, isShort, onOpen }: PhoneNavProps): ReactNode {
  const { status } = useServices();
  const inbox = useStore(status.status)?.inbox ?? 0;
  return (
    <div className="flex items-center md:hidden">
      <button
        type="button"
        className="grid size-10 place-items-center rounded-lg text-muted hover:bg-code hover:text-ink"
        aria-label={texts.nav.open}
        aria-expanded={isOpen}
        onClick={onOpen}
      >
        <Icon name="menu" className="size-5" />
      </button>
      {isShort ? null : (
        <Link
          to={inboxAddress()}
          className="flex h-10 min-w-10 items-center justify-center gap-1.5 rounded-lg px-1.5 text-muted hover:bg-code hover:text-ink"
        >
          <Icon name="inbox" className="size-5" />
          <span className="sr-only">{texts.inbox.title}</span>
          <WaitingCount count={inbox} />
        </Link>
      )}
    </div>
  );
}
