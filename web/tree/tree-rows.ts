import type { TreeEntry } from "../../src/server/api/contract.ts";
import { ROOT } from "./paths.ts";

/** The loaded part of the tree. */
export interface TreeState {
  /** The entries of each folder that was unfolded once. */
  readonly folders: ReadonlyMap<string, readonly TreeEntry[]>;
  readonly expanded: ReadonlySet<string>;
}

/** A line of the tree as it is seen. */
export interface TreeRow {
  readonly entry: TreeEntry;
  /** From 1. */
  readonly level: number;
  readonly isExpanded: boolean;
  /** Among those in the same folder, from 1. */
  readonly position: number;
  readonly siblings: number;
}

/** The lines that are unfolded, in order. */
export function visibleRows(state: TreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  addRows(rows, ROOT, 1, state);
  return rows;
}

function addRows(rows: TreeRow[], folder: string, level: number, state: TreeState): void {
  const entries = state.folders.get(folder) ?? [];
  for (const [index, entry] of entries.entries()) {
    const isExpanded = entry.kind === "folder" && state.expanded.has(entry.path);
    rows.push({ entry, level, isExpanded, position: index + 1, siblings: entries.length });
    if (isExpanded) addRows(rows, entry.path, level + 1, state);
  }
}

/** What a key does in a tree, as people are used to: to another line, or folding and unfolding. Null when it does nothing here. */
export function keyAction(
  key: string,
  rows: readonly TreeRow[],
  at: number,
): { readonly go: number } | { readonly toggle: string } | null {
  const row = rows[at];
  if (row === undefined) return rows.length > 0 ? { go: 0 } : null;
  const { entry, level, isExpanded } = row;
  switch (key) {
    case "ArrowDown":
      return { go: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { go: Math.max(at - 1, 0) };
    case "Home":
      return { go: 0 };
    case "End":
      return { go: rows.length - 1 };
    case "ArrowRight":
      if (entry.kind === "file") return null;
      return isExpanded ? { go: Math.min(at + 1, rows.length - 1) } : { toggle: entry.path };
    case "ArrowLeft": {
      if (isExpanded) return { toggle: entry.path };
      const above = rows.slice(0, at).findLastIndex((other) => other.level < level);
      return above < 0 ? null : { go: above };
    }
    default:
      return null;
  }
}
