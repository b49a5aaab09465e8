import type { FileFacts } from "../files/measure.ts";
import { compareNames, joinPath, nameOf, type VaultPath } from "../paths.ts";
import { NamedNodes } from "./letter-masks.ts";

export interface FileNode {
  readonly kind: "file";
  readonly name: string;
  readonly path: VaultPath;
  readonly facts: FileFacts;
}

export interface FolderNode {
  readonly kind: "folder";
  readonly name: string;
  readonly path: VaultPath;
  /** Sum of what is under it. */
  readonly tokens: number;
  /** Latest change under it, local time; null when there is no file. */
  readonly changed: string | null;
  /** Files under it, at any depth. */
  readonly files: number;
  /** What is directly in it, folders first, each in name order. */
  children(): TreeNode[];
}

export type TreeNode = FileNode | FolderNode;

/** Our own `tree.md`, which is no part of what it lists. */
export function isGeneratedNode(node: TreeNode): boolean {
  return node.kind === "file" && node.facts.isGenerated === true;
}

/** A folder whose sums are kept. */
export class Folder implements FolderNode {
  readonly kind = "folder";
  readonly name: string;
  readonly path: VaultPath;
  readonly nodes = new Map<string, FileNode | Folder>();
  tokens = 0;
  files = 0;
  /** Undefined when it must be found again. */
  #changed: string | null | undefined = null;
  #sorted: TreeNode[] | null = null;
  #named: NamedNodes | null = null;

  constructor(path: VaultPath) {
    this.path = path;
    this.name = nameOf(path);
  }

  /** Found when it is asked for: when the latest file goes, only all the others tell which is the latest now. */
  get changed(): string | null {
    if (this.#changed !== undefined) return this.#changed;
    let latest: string | null = null;
    for (const node of this.nodes.values()) {
      const changed = changeOf(node);
      if (changed !== null && (latest === null || changed > latest)) latest = changed;
    }
    return (this.#changed = latest);
  }

  children(): TreeNode[] {
    this.#sorted ??= [...this.nodes.values()].toSorted((a, b) =>
      a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
    );
    return this.#sorted;
  }

  /** What is directly in it with the letters of its names. Made when it is first asked for. */
  named(): NamedNodes {
    this.#named ??= new NamedNodes(this.path, this.nodes.keys());
    return this.#named;
  }

  /** Puts what is directly in it in place of what has that name; null removes that. Its sums and those above are for the caller. */
  put(name: string, node: FileNode | Folder | null): FileNode | Folder | null {
    const before = this.nodes.get(name) ?? null;
    if (node === null) this.nodes.delete(name);
    else this.nodes.set(name, node);
    this.#sorted = null;
    if (before === null && node !== null) this.#named?.add(name);
    else if (node === null) this.#named = null;
    return before;
  }

  /** Takes over that something under it was replaced: adds the difference. */
  adjust(before: FileNode | Folder | null, after: FileNode | Folder | null): void {
    this.tokens += tokensOf(after) - tokensOf(before);
    this.files += filesOf(after) - filesOf(before);
    if (this.#changed === undefined) return;
    const [old, now] = [changeOf(before), changeOf(after)];
    if (now !== null && (this.#changed === null || now >= this.#changed)) this.#changed = now;
    else if (old !== null && old === this.#changed) this.#changed = undefined;
  }

  /** Computes its sums from what is directly in it. */
  sum(): void {
    this.tokens = 0;
    this.files = 0;
    this.#changed = undefined;
    for (const node of this.nodes.values()) {
      this.tokens += tokensOf(node);
      this.files += filesOf(node);
    }
  }
}

function tokensOf(node: FileNode | Folder | null): number {
  return node === null ? 0 : node.kind === "file" ? node.facts.tokens : node.tokens;
}

function filesOf(node: FileNode | Folder | null): number {
  return node === null ? 0 : node.kind === "file" ? 1 : node.files;
}

/** The generated listing changes with every file, so its time is left out. */
function changeOf(node: FileNode | Folder | null): string | null {
  if (node === null || node.kind === "folder") return node?.changed ?? null;
  return isGeneratedNode(node) ? null : node.facts.changed;
}

export function sumAll(folder: Folder): void {
  for (const node of folder.nodes.values()) if (node instanceof Folder) sumAll(node);
  folder.sum();
}

/** The same under another path. */
export function renamed(node: FileNode | Folder, path: VaultPath): FileNode | Folder {
  if (node.kind === "file") return fileNode(path, node.facts);
  const folder = new Folder(path);
  for (const [name, below] of node.nodes)
    folder.nodes.set(name, renamed(below, joinPath(path, name)));
  folder.sum();
  return folder;
}

export function fileNode(path: VaultPath, facts: FileFacts): FileNode {
  return { kind: "file", name: nameOf(path), path, facts };
}
