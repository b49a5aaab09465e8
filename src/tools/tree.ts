import { z } from "zod";

import { parsePath, refuseFileAsFolder, showPath } from "../vault/paths.ts";
import type { TreeNode } from "../vault/tree/totals.ts";
import { formatRows, renderTree } from "../vault/tree/tree-text.ts";
import { readTool, textOutput } from "./define.ts";
import { countFitting } from "./output.ts";

const MOST_LINES = 2000;

const input = z.strictObject({
  path: z.string().nullish().describe('A folder or file; "vault/" when left out.'),
  depth: z.int().nonnegative().nullish().describe("Levels to unfold; all when left out."),
});

/** A node as programs get it. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: "folder" | "file";
  readonly tokens: number;
  readonly changed: string | null;
  /** Of a folder: how many files are under it, at any depth. */
  readonly files?: number;
  readonly bytes?: number;
  readonly image?: { readonly width: number; readonly height: number };
  /** What is in a folder; left out where it was not unfolded. */
  readonly children?: readonly TreeEntry[];
}

export const tree = readTool({
  name: "tree",
  title: "Show the tree",
  description:
    "Show folders and files with their tokens and last change: to find your way, and see what a read would cost.",
  input,
  profiles: ["update", "search"],
  needsWholeTree: true,
  async run({ path: given, depth }, { vault, mostTokens }) {
    const parsed = parsePath(given ?? "");
    const node = await vault.shape(parsed.path);
    refuseFileAsFolder(parsed, node.kind);
    const levels = depth ?? Number.POSITIVE_INFINITY;
    const rows = renderTree(node, {
      unfold: (_, level) => level < levels,
      mostRows: MOST_LINES + 1,
    });
    const lines = formatRows(rows.slice(0, MOST_LINES)).split("\n");
    const shown = mostTokens === undefined ? lines.length : countFitting(lines, mostTokens);
    const notice = `\nCut at ${shown} lines. Narrow it: give a folder below, or depth=1 (then 2, …).`;
    const cut = shown < rows.length ? notice : "";
    return textOutput(
      lines.slice(0, shown).join("\n") + cut,
      treeEntry(node, levels, { left: shown }),
    );
  },
});

/**
 * A node and what is under it.
 * @param depth levels to unfold
 * @param budget the most nodes, counted down
 */
export function treeEntry(
  node: TreeNode,
  depth: number,
  budget = { left: Number.POSITIVE_INFINITY },
): TreeEntry {
  budget.left -= 1;
  const path = showPath(node.path, node.kind);
  if (node.kind === "file") {
    const { tokens, changed, bytes, width, height } = node.facts;
    const image = width === undefined || height === undefined ? {} : { image: { width, height } };
    return { path, kind: "file", tokens, changed, bytes, ...image };
  }
  const { tokens, changed, files } = node;
  const entry = { path, kind: "folder", tokens, changed, files } as const;
  if (depth <= 0) return entry;
  const children: TreeEntry[] = [];
  for (const child of node.children()) {
    if (budget.left <= 0) break;
    children.push(treeEntry(child, depth - 1, budget));
  }
  return { ...entry, children };
}
