import { TREE_FILE } from "../files/generated-tree.ts";
import { isUnder, showPath } from "../paths.ts";
import { showMinute } from "../../text/local-time.ts";
import { formatBytes, formatTokens, countTokens } from "../../text/tokens.ts";
import { isGeneratedNode, type FolderNode, type TreeNode } from "./folder-totals.ts";

/** A line of the tree: its name with branches, and what stands in brackets, if anything. */
export interface TreeRow {
  readonly name: string;
  readonly facts: string | null;
}

export interface TreeForm {
  /** Whether what is in a folder is shown; `level` is 0 for the top. */
  unfold(folder: FolderNode, level: number): boolean;
  /** Rendering stops after this many rows. */
  readonly mostRows?: number;
  /** Children of one folder that are shown; the others are counted. */
  readonly mostChildren?: number;
  /** Left out as if it were not there. */
  readonly without?: (node: TreeNode) => boolean;
}

/** The lines of a node and what is under it. */
export function renderTree(node: TreeNode, form: TreeForm): TreeRow[] {
  const rows: TreeRow[] = [{ name: showPath(node.path, node.kind), facts: factsOf(node, form) }];
  if (node.kind === "folder" && form.unfold(node, 0)) addChildren(node, 0, "", rows, form);
  return rows;
}

function addChildren(
  folder: FolderNode,
  level: number,
  indent: string,
  rows: TreeRow[],
  form: TreeForm,
): void {
  const { mostRows = Number.POSITIVE_INFINITY, mostChildren = Number.POSITIVE_INFINITY } = form;
  const children = childrenOf(folder, form);
  const hidden = children.slice(mostChildren);
  for (const [at, child] of children.slice(0, mostChildren).entries()) {
    if (rows.length >= mostRows) return;
    const isLast = at === children.length - 1;
    const name = child.kind === "folder" ? `${child.name}/` : child.name;
    rows.push({ name: `${indent}${isLast ? "└── " : "├── "}${name}`, facts: factsOf(child, form) });
    if (child.kind !== "folder") continue;
    const below = indent + (isLast ? "    " : "│   ");
    if (form.unfold(child, level + 1)) addChildren(child, level + 1, below, rows, form);
    else if (child.children().length > 0) {
      rows.push({ name: `${below}└── ... ${countNodes(child.children())}`, facts: null });
    }
  }
  if (hidden.length > 0)
    rows.push({ name: `${indent}└── ... ${countNodes(hidden)} more`, facts: null });
}

function childrenOf(folder: FolderNode, form: TreeForm): TreeNode[] {
  const children = folder.children();
  const { without } = form;
  return without === undefined ? children : children.filter((child) => !without(child));
}

function countNodes(nodes: readonly TreeNode[]): string {
  const files = nodes.filter(({ kind }) => kind === "file").length;
  const folders = nodes.length - files;
  const parts = [
    files > 0 ? `${files} ${files === 1 ? "file" : "files"}` : "",
    folders > 0 ? `${folders} ${folders === 1 ? "folder" : "folders"}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function factsOf(node: TreeNode, form: TreeForm): string {
  if (node.kind === "folder") {
    const left = form.without === undefined ? [] : node.children().filter(form.without);
    const less = left.reduce(
      (sum, child) => sum + (child.kind === "file" ? child.facts.tokens : child.tokens),
      0,
    );
    return `[${formatTokens(node.tokens - less)} · ${minutes(node.changed)}]`;
  }
  const { kind, tokens, bytes, width, height, changed } = node.facts;
  if (kind === "text") return `[${formatTokens(tokens)} · ${minutes(changed)}]`;
  const what = kind === "image" ? `image ${width}×${height}` : "file";
  return `[${what} · ${formatBytes(bytes)} · ${minutes(changed)}]`;
}

function minutes(changed: string | null): string {
  return changed === null ? "—" : showMinute(changed);
}

const NARROWEST = 32;

/** Characters, so that an accent or an emoji does not shift the column. */
function lengthOf(name: string): number {
  return Array.from(name).length;
}

/** Aligns the brackets in one column, in steps of eight so that a new name seldom moves them. */
export function formatRows(rows: readonly TreeRow[]): string {
  const widest = rows.reduce(
    (most, row) => Math.max(most, row.facts === null ? 0 : lengthOf(row.name)),
    0,
  );
  const column = Math.max(NARROWEST, Math.ceil(widest / 8) * 8);
  return rows
    .map(({ name, facts }) =>
      facts === null ? name : `${name}${" ".repeat(column - lengthOf(name))} ${facts}`,
    )
    .join("\n");
}

const MOST_TOKENS = 2000;

/**
 * The text of `tree.md`: the tree in a form that stays small however large the vault is. Project folders and buckets are
 * folded, the inbox is not, the rest is unfolded as far as it fits. It does not list itself.
 */
export function treeFile(root: FolderNode): string {
  const text = (unfold: TreeForm["unfold"], mostChildren: number): string =>
    `\`\`\`\n${formatRows(renderTree(root, { unfold, mostChildren, without: isGeneratedNode, mostRows: MOST_TOKENS }))}\n\`\`\`\n`;
  const depths = [9, 5, 3, 2, 1];
  const widths = [1000, 100, 50, 20, 10, 5, 2];
  for (const depth of depths) {
    const fitted = text((folder, level) => isOpen(folder) && level < depth, 1000);
    if (countTokens(fitted) < MOST_TOKENS) return fitted;
  }
  const narrow = widths.map((width) => text((folder, level) => isOpen(folder) && level < 2, width));
  const last = text((_, level) => level < 1, 5);
  return narrow.find((candidate) => countTokens(candidate) < MOST_TOKENS) ?? last;
}

/** Our listing as a file of the tree, when it is not on the disk. */
export function generatedNode(text: string, changed: string): TreeNode {
  const facts = {
    kind: "text",
    tokens: countTokens(text),
    bytes: Buffer.byteLength(text),
    changed,
    isGenerated: true,
    signature: "",
  } as const;
  return { kind: "file", name: TREE_FILE, path: TREE_FILE, facts };
}

function isOpen({ path, name }: FolderNode): boolean {
  if (isUnder(path, "inbox")) return true;
  return name !== "bucket" && !/^projects\/[^/]+/u.test(path);
}
