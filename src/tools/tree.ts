import { z } from "zod";

import { charactersFor } from "../text/tokens.ts";
import { parsePath, refuseFileAsFolder, showPath, type VaultPath } from "../vault/paths.ts";
import type { FolderNode } from "../vault/tree/folder-totals.ts";
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
  description: "Show folders and files with their tokens, the cost of a read, and last change.",
  input,
  profiles: ["update", "search"],
  needsWholeTree: true,
  async run({ path: given, depth }, { vault, mostTokens }) {
    const parsed = parsePath(given ?? "");
    const node = await vault.shape(parsed.path, "glance");
    refuseFileAsFolder(parsed, node.kind);
    const levels = depth ?? Number.POSITIVE_INFINITY;
    const isForModel = mostTokens !== undefined && (depth ?? null) === null;
    const opened = isForModel ? openedBreadthFirst(node, Math.min(mostTokens, MODEL_TREE)) : null;
    const rows = renderTree(node, {
      unfold: ({ path }, level) => (opened === null ? level < levels : opened.paths.has(path)),
      mostRows: MOST_LINES + 1,
    });
    const lines = formatRows(rows.slice(0, MOST_LINES)).split("\n");
    const shown = mostTokens === undefined ? lines.length : countFitting(lines, mostTokens);
    const notice = `\nCut at ${shown} lines. Narrow it: give a folder below, or depth=1 (then 2, …).`;
    const folded = `\nFolders with "..." are not unfolded, to save tokens: call tree with one of them, or with a depth.`;
    const cut = shown < rows.length ? notice : opened?.isAll === false ? folded : "";
    return textOutput(
      lines.slice(0, shown).join("\n") + cut,
      treeEntry(node, levels, { left: shown }, opened?.paths),
    );
  },
});

/** Tokens of the whole tree as a model gets it. */
const MODEL_TREE = 2000;
/** Characters of a line beside its name: the branches, and what stands in brackets. */
const LINE_COST = 34;

/** Which folders are unfolded when not all fit: level by level, so that the shape is seen before what is deep in one folder. */
function openedBreadthFirst(
  top: TreeNode,
  tokens: number,
): { readonly paths: ReadonlySet<VaultPath>; readonly isAll: boolean } {
  const paths = new Set<VaultPath>();
  let room = charactersFor(tokens) - 200;
  let isAll = true;
  let level = top.kind === "folder" ? [top] : [];
  for (let indent = 0; level.length > 0; indent += 4) {
    const next: FolderNode[] = [];
    for (const folder of level) {
      const children = folder.children();
      const cost = children.reduce((sum, { name }) => sum + name.length + LINE_COST + indent, 0);
      // The top is always shown: its lines are cut when they are too many.
      if (cost > room && paths.size > 0) {
        isAll = false;
        continue;
      }
      room -= cost;
      paths.add(folder.path);
      next.push(...children.filter((child) => child.kind === "folder"));
    }
    level = next;
  }
  return { paths, isAll };
}

/**
 * A node and what is under it.
 * @param depth levels to unfold
 * @param budget the most nodes, counted down
 * @param opened the folders to unfold, when not all
 */
export function treeEntry(
  node: TreeNode,
  depth: number,
  budget = { left: Number.POSITIVE_INFINITY },
  opened?: ReadonlySet<VaultPath>,
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
  if (depth <= 0 || opened?.has(node.path) === false) return entry;
  const children: TreeEntry[] = [];
  for (const child of node.children()) {
    if (budget.left <= 0) break;
    children.push(treeEntry(child, depth - 1, budget, opened));
  }
  return { ...entry, children };
}
