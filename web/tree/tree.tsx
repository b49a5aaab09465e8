import { useEffect, useMemo, useState, type KeyboardEvent, type ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { fileAddress, pathAt } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { VirtualRows } from "../ui/virtual-rows.tsx";
import { TreeLine } from "./tree-line.tsx";
import { keyAction, visibleRows } from "./tree-rows.ts";

/** Pixels. */
const ROW = 30;

const idOf = (index: number): string => `tree-row-${index}`;

/** The live tree, as far as it is unfolded. Moved in with the arrow keys, as trees are. */
export function Tree(): ReactNode {
  const { tree, router } = useServices();
  const state = useStore(tree.state);
  const root = useStore(tree.root);
  const problem = useStore(tree.problem);
  const recent = useStore(tree.recent);
  const place = useStore(router.place);
  const rows = useMemo(() => visibleRows(state), [state]);
  const isHome = place.view === "home";
  const shown = isHome ? "vault/overview.md" : pathAt(place);
  const [active, setActive] = useState<string | null>(null);
  const at = rows.findIndex(({ entry }) => entry.path === (active ?? shown));

  const row = rows[at];

  // Keyboard navigation continues from what was opened last.
  useEffect(() => setActive(null), [shown]);

  const open = (path: string): void => {
    const isFolder = path.endsWith("/");
    if (isFolder && (path === shown || !state.expanded.has(path))) tree.toggle(path);
    setActive(path);
    router.go(fileAddress(path));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && row !== undefined) {
      event.preventDefault();
      open(row.entry.path);
      return;
    }
    const action = keyAction(event.key, rows, at);
    if (action === null) return;
    event.preventDefault();
    if ("toggle" in action) tree.toggle(action.toggle);
    else setActive(rows[action.go]?.entry.path ?? null);
  };

  if (rows.length === 0) {
    const text = problem?.message ?? (root === null ? texts.loading : texts.tree.empty);
    return <p className="flex-1 px-4 py-2 text-sm text-muted">{text}</p>;
  }
  return (
    <VirtualRows
      role="tree"
      aria-label={texts.tree.label}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : idOf(at)}
      className="group/tree scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pb-2 -outline-offset-2"
      count={rows.length}
      rowHeight={ROW}
      // At home the tree starts at its top, wherever the overview is in it.
      inSight={
        row === undefined || (isHome && active === null)
          ? null
          : { index: at, name: row.entry.path }
      }
      onKeyDown={onKeyDown}
    >
      {(index) => {
        const line = rows[index];
        return line === undefined ? null : (
          <TreeLine
            key={line.entry.path}
            id={idOf(index)}
            row={line}
            height={ROW}
            isShown={line.entry.path === shown}
            isActive={index === at}
            changedAt={recent.get(line.entry.path) ?? null}
            onOpen={open}
            onToggle={(path) => tree.toggle(path)}
          />
        );
      }}
    </VirtualRows>
  );
}
