import type { TreeNode } from "./folder-totals.ts";

/** What is in a folder, at any depth. */
export function* nodesUnder(node: TreeNode): Generator<TreeNode> {
  if (node.kind === "file") return;
  for (const child of node.children()) {
    yield child;
    yield* nodesUnder(child);
  }
}
