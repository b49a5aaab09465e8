import type { ReactNode } from "react";

import { locale, texts } from "../texts/texts.ts";
import { formatTokens } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { isImage, nameOf } from "./paths.ts";
import type { TreeRow } from "./tree-rows.ts";

interface TreeLineProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly height: number;
  /** It is what the page shows. */
  readonly isShown: boolean;
  /** Keyboard navigation continues from here. */
  readonly isActive: boolean;
  /** When it changed while the page was open. */
  readonly changedAt: number | null;
  readonly onOpen: (path: string) => void;
  readonly onToggle: (path: string) => void;
}

/** Pixels, of a level. */
const INDENT = 14;

/** One line of the tree. Its keys are handled by the tree. */
export function TreeLine(props: TreeLineProps): ReactNode {
  const { id, row, height, isShown, isActive, changedAt, onOpen, onToggle } = props;
  const { entry, level, isExpanded, position, siblings } = row;
  const isFolder = entry.kind === "folder";
  const look = isShown ? "bg-accent-soft text-ink" : "text-ink/85 hover:bg-code hover:text-ink";
  const ring = isActive
    ? "group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-accent"
    : "";
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isShown}
      {...(isFolder ? { "aria-expanded": isExpanded } : {})}
      title={entry.path}
      className={`flex cursor-pointer select-none items-center gap-1.5 rounded-md pr-2 text-sm ${look} ${ring}`}
      style={{ height, paddingLeft: 4 + (level - 1) * INDENT }}
      onClick={() => onOpen(entry.path)}
    >
      <span
        role="presentation"
        className="grid size-5 shrink-0 place-items-center text-muted"
        onClick={(event) => {
          if (!isFolder) return;
          event.stopPropagation();
          onToggle(entry.path);
        }}
      >
        {isFolder ? (
          <Icon
            name="chevron"
            className={`size-3.5 transition-transform ${isExpanded ? "rotate-90" : ""}`}
          />
        ) : isImage(entry.path) ? (
          <Icon name="image" className="size-3.5" />
        ) : null}
      </span>
      <span className={`truncate ${isFolder ? "font-medium" : ""}`}>{nameOf(entry.path)}</span>
      {changedAt === null ? null : (
        <span key={changedAt} className="size-1.5 shrink-0 animate-fade-out rounded-full bg-accent">
          <span className="sr-only">{texts.tree.justChanged}</span>
        </span>
      )}
      <span className="ml-auto shrink-0 pl-2 text-xs tabular-nums text-muted">
        {entry.image === undefined ? formatTokens(entry.tokens, locale) : null}
      </span>
    </div>
  );
}
