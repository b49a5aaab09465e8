import { TREE_FILE } from "../files/generated-tree.ts";
import { Folder, isGeneratedNode, type FileNode, type TreeNode } from "../tree/folder-totals.ts";
import { generatedNode, treeFile } from "../tree/tree-text.ts";

/** A folder or file without what is hidden; null when nothing of it is left to see. What nothing is hidden in is the same object. */
export async function visibleTree(
  node: TreeNode,
  sees: (file: FileNode) => boolean | Promise<boolean>,
  hidesFolder: (folder: TreeNode, isEmpty: boolean) => boolean,
): Promise<TreeNode | null> {
  if (node.kind === "file") {
    const seen = sees(node);
    return (typeof seen === "boolean" ? seen : await seen) ? node : null;
  }
  const children = node.children();
  if (hidesFolder(node, children.length === 0)) return null;
  const kept: TreeNode[] = [];
  let isSame = true;
  for (const child of children) {
    const visible = await visibleTree(child, sees, hidesFolder);
    isSame &&= visible === child;
    if (visible !== null) kept.push(visible);
  }
  if (isSame) return node;
  // A folder that holds only what is hidden would say that something is there.
  return kept.length === 0 && node.path !== "" ? null : folderOf(node.path, kept);
}

/** As a folder whose names can be compared. */
export function folderOf(path: string, children: readonly TreeNode[]): Folder {
  const folder = new Folder(path);
  for (const child of children) {
    const isOwn = child.kind === "file" || child instanceof Folder;
    folder.nodes.set(child.name, isOwn ? child : folderOf(child.path, child.children()));
  }
  folder.sum();
  return folder;
}

/** The text of our listing of these, and them with a listing of that size. */
export function withOwnListing(root: Folder): { readonly root: Folder; readonly text: string } {
  const text = treeFile(root);
  const listing = root.nodes.get(TREE_FILE);
  if (listing === undefined || listing.kind !== "file" || !isGeneratedNode(listing))
    return { root, text };
  const own = generatedNode(text, listing.facts.changed);
  const others = root.children().filter(({ name }) => name !== TREE_FILE);
  return { root: folderOf("", [...others, own]), text };
}
