import { useEffect, type ReactNode } from "react";

import { Store, useStore } from "../api/store.ts";
import { texts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";

/** A short message, which goes by itself. */
export interface Toast {
  readonly text: string;
  /** What one may do about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

const shown = new Store<Toast | null>(null);

/** Milliseconds: enough to read it and to reach its button. */
const STAYS = 12_000;

export function showToast(toast: Toast): void {
  shown.set(toast);
}

/** The last message, above the input. */
export function Toasts(): ReactNode {
  const toast = useStore(shown);
  useEffect(() => {
    if (toast === null) return undefined;
    const timer = window.setTimeout(() => shown.set(null), STAYS);
    return () => window.clearTimeout(timer);
  }, [toast]);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none absolute inset-x-0 bottom-full z-20 flex justify-center px-4 pb-2"
    >
      {toast === null ? null : (
        <div className="pointer-events-auto flex max-w-full items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pl-4 pr-1.5 text-sm shadow-lg">
          <span className="[overflow-wrap:anywhere]">{toast.text}</span>
          {toast.action === undefined ? null : (
            <Button
              onClick={() => {
                shown.set(null);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <button
            type="button"
            aria-label={texts.write.close}
            className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:text-ink"
            onClick={() => shown.set(null)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
