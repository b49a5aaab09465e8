import type { ReactNode } from "react";

import { Icon } from "../ui/icons.tsx";

interface FoldButtonProps {
  readonly isOpen: boolean;
  /** The id of what it unfolds. */
  readonly controls: string;
  readonly label: string;
  readonly onToggle: () => void;
}

/** Unfolds a row of the history. */
export function FoldButton({ isOpen, controls, label, onToggle }: FoldButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      aria-label={label}
      className="mt-0.5 grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-code hover:text-ink"
      onClick={onToggle}
    >
      <Icon
        name="chevron"
        className={`size-3.5 transition-transform ${isOpen ? "rotate-90" : ""}`}
      />
    </button>
  );
}
