import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";

/** Says that the data shown may be stale. */
export function ConnectionBanner(): ReactNode {
  const { live } = useServices();
  const connection = useStore(live.connection);
  const isLost = connection === "lost";
  const isShown = isLost || connection === "shut-out";
  return (
    <div role="status" aria-live="polite">
      {isShown ? (
        <div className="flex items-baseline gap-x-2 border-b border-line bg-warn-soft px-5 py-2 text-sm text-warn">
          <span className="shrink-0 translate-y-0.5">
            <Icon name="warning" />
          </span>
          <p>
            <span className="font-medium">
              {isLost ? texts.connection.lost : texts.connection.shutOut}
            </span>{" "}
            <span>{isLost ? texts.connection.lostHint : texts.connection.shutOutHint}</span>
          </p>
        </div>
      ) : null}
    </div>
  );
}
