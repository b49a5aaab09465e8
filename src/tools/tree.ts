import { z } from "zod";

import { ExpectedError } from "../vault/errors.ts";
import { parsePath, showPath } from "../vault/paths.ts";
import type { TreeNode } from "../vault/totals.ts";
import { formatRows, renderTree } from "../vault/tree-text.ts";
import { readTool, textOutput } from "./define.ts";

const MOST_LINES = 2000;

const input = z.strictObject({
  path: z.string().nullish().describe('A folder or file; "vault/" when left out.'),
  depth: z.int().nonnegative().nullish().describe("Levels to unfold; null for all."),
});

/** A node as programs get it. */
interface TreeEntry {
  readonly path: string;
  readonly kind: "folder" | "file";
  readonly tokens: number;
  readonly changed: string | null;
  readonly bytes?: number;
  readonly image?: { readonly width: number; readonly height: number };
  /** What is in a folder; left out where it was not unfolded. */
  readonly children?: readonly TreeEntry[];
}

export const tree = readTool({
  name: "tree",
  title: "Show the tree",
  description:
    "Show folders and files with their tokens and last change. Use it to find your way, and to see what a read would cost.",
  input,
  profiles: ["update", "search"],
  async run({ path: given, depth }, { vault }) {
    const { path, mustBeFolder } = parsePath(given ?? "");
    const node = vault.shape(path);
    if (mustBeFolder && node.kind === "file") {
      throw new ExpectedError(
        "not_a_folder",
        `${showPath(path)} is a file, not a folder; leave out the final slash.`,
      );
    }
    const levels = depth ?? Number.POSITIVE_INFINITY;
    const rows = renderTree(node, {
      unfold: (_, level) => level < levels,
      mostRows: MOST_LINES + 1,
    });
    const shown = formatRows(rows.slice(0, MOST_LINES));
    const cut =
      rows.length > MOST_LINES
        ? `\nCut at ${MOST_LINES} lines. Narrow it: give a folder below, or depth=1 (then 2, …).`
        : "";
    return textOutput(shown + cut, toEntry(node, levels, { left: MOST_LINES }));
  },
});

function toEntry(node: TreeNode, depth: number, budget: { left: number }): TreeEntry {
  budget.left -= 1;
  const path = showPath(node.path, node.kind);
  if (node.kind === "file") {
    const { tokens, changed, bytes, width, height } = node.facts;
    const image = width === undefined || height === undefined ? {} : { image: { width, height } };
    return { path, kind: "file", tokens, changed, bytes, ...image };
  }
  const entry = { path, kind: "folder", tokens: node.tokens, changed: node.changed } as const;
  if (depth <= 0) return entry;
  const children: TreeEntry[] = [];
  for (const child of node.children()) {
    if (budget.left <= 0) break;
    children.push(toEntry(child, depth - 1, budget));
  }
  return { ...entry, children };
}
