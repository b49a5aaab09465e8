import { parentOf, type VaultPath } from "../paths.ts";
import type { Scanned } from "../scan.ts";
import { fileNode, Folder, sumAll, type FileNode, type TreeNode } from "../tree/folder-totals.ts";
import { isListed, isListedIn, type TreeRow } from "./tree-rows.ts";

/**
 * A file or folder with the sums of what is under it.
 * @param under all rows under a folder, each folder before what is in it
 */
export function shapeOfRows(top: TreeRow, under: readonly TreeRow[]): TreeNode {
  if (top.kind === "file") return fileNode(top.path, top.facts);
  const root = new Folder(top.path);
  const folders = new Map<VaultPath, Folder>([[top.path, root]]);
  for (const row of under) {
    const parent = folders.get(parentOf(row.path));
    if (row.path === top.path || parent === undefined || !isListedIn(top.path, row)) continue;
    const node = row.kind === "file" ? fileNode(row.path, row.facts) : new Folder(row.path);
    if (node.kind === "folder") folders.set(row.path, node);
    parent.nodes.set(node.name, node);
  }
  sumAll(root);
  return root;
}

/** Every file under a node, depth first in listing order. */
export function* filesOf(node: TreeNode): Generator<FileNode> {
  if (node.kind === "file") yield node;
  else for (const child of node.children()) yield* filesOf(child);
}

/** All rows as a scan reports them: of what lists do not show, only the outermost folder. */
export function scannedRows(rows: readonly TreeRow[]): Scanned[] {
  return rows.flatMap((row): Scanned[] => {
    const { kind, path, modified } = row;
    if (!isListed(path, kind))
      return isListed(parentOf(path), "folder") ? [{ kind: "unlisted", path }] : [];
    if (row.kind === "folder") return [{ kind: "folder", path }];
    const { hash: signature, facts } = row;
    const touched = modified * 1000;
    return [{ kind: "file", path, signature, touched, size: facts.bytes, modified, isLink: false }];
  });
}
