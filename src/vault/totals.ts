import type { Disk, Located } from "./disk.ts";
import { errnoOf, ExpectedError } from "./errors.ts";
import { listFolder, type Listed } from "./listing.ts";
import { measureFile, measureUnreadable, type FileFacts } from "./measure.ts";
import { compareNames, isGenerated, joinPath, nameOf, parentOf, type VaultPath } from "./paths.ts";

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

class Folder implements FolderNode {
  readonly kind = "folder";
  readonly name: string;
  readonly path: VaultPath;
  readonly nodes = new Map<string, FileNode | Folder>();
  tokens = 0;
  changed: string | null = null;
  files = 0;
  #sorted: TreeNode[] | null = null;

  constructor(path: VaultPath) {
    this.path = path;
    this.name = nameOf(path);
  }

  children(): TreeNode[] {
    this.#sorted ??= [...this.nodes.values()].toSorted((a, b) =>
      a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
    );
    return this.#sorted;
  }

  /** Sums up anew from what is directly in it. */
  sum(): void {
    this.#sorted = null;
    this.tokens = 0;
    this.changed = null;
    this.files = 0;
    for (const node of this.nodes.values()) {
      const isFile = node.kind === "file";
      this.tokens += isFile ? node.facts.tokens : node.tokens;
      this.files += isFile ? 1 : node.files;
      const changed = isFile ? node.facts.changed : node.changed;
      // The generated listing changes whenever anything does: its time would say nothing.
      if (isFile && isGenerated(node.path)) continue;
      if (changed !== null && (this.changed === null || changed > this.changed))
        this.changed = changed;
    }
  }
}

/**
 * Tokens and last change of every file and folder. Built by one walk, then kept right by {@link refresh}, which costs the
 * changed file and the folders above it, not the vault.
 */
export class Totals {
  readonly #disk: Disk;
  #root: Folder | null = null;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Walks the vault, or only what is under `path`; then {@link get} answers for that part. */
  scan(path: VaultPath = ""): TreeNode {
    const located = this.#disk.get(path);
    const node = this.#measure({ kind: located.kind === "folder" ? "folder" : "file", located });
    if (node === null) throw new ExpectedError("not_found", `vault/${path} does not exist.`);
    if (path === "" && node.kind === "folder") this.#root = node;
    return node;
  }

  get isWarm(): boolean {
    return this.#root !== null;
  }

  get(path: VaultPath): TreeNode | null {
    let node: FileNode | Folder | undefined = this.#root ?? undefined;
    for (const name of path === "" ? [] : path.split("/")) {
      if (node?.kind !== "folder") return null;
      node = node.nodes.get(name);
    }
    return node ?? null;
  }

  /** Looks again at one path that was written, moved, removed or made. */
  refresh(path: VaultPath): void {
    if (this.#root === null) return;
    const found = this.#disk.find(path);
    if (path === "") {
      this.scan();
      return;
    }
    if (found.kind === "missing") {
      this.#removeUnder(path);
      return;
    }
    const parent = this.#folderAt(parentOf(path));
    const node = this.#measure({
      kind: found.kind === "folder" ? "folder" : "file",
      located: found,
      path,
    });
    if (node === null) parent.nodes.delete(nameOf(path));
    else parent.nodes.set(nameOf(path), node);
    this.#sumUpwards(parent.path);
  }

  #removeUnder(path: VaultPath): void {
    const parent = this.get(parentOf(path));
    if (!(parent instanceof Folder)) return;
    parent.nodes.delete(nameOf(path));
    this.#sumUpwards(parent.path);
  }

  #folderAt(path: VaultPath): Folder {
    let folder = this.#root ?? new Folder("");
    let walked = "";
    for (const name of path === "" ? [] : path.split("/")) {
      walked = joinPath(walked, name);
      const next = folder.nodes.get(name);
      if (next?.kind === "folder") folder = next;
      else {
        const made = new Folder(walked);
        folder.nodes.set(name, made);
        folder = made;
      }
    }
    return folder;
  }

  #sumUpwards(path: VaultPath): void {
    for (let at = path; ; at = parentOf(at)) {
      const node = this.get(at);
      if (node instanceof Folder) node.sum();
      if (at === "") return;
    }
  }

  #measure(what: {
    kind: "file" | "folder";
    located: Located;
    path?: VaultPath;
  }): FileNode | Folder | null {
    const path = what.path ?? what.located.path;
    if (what.kind === "file") return this.#measureFile(what.located.real, path);
    const folder = new Folder(path);
    for (const listed of this.#list(what.located)) {
      const node =
        listed.kind === "file"
          ? this.#measureFile(listed.real, listed.path)
          : this.#measureListed(listed);
      if (node !== null) folder.nodes.set(listed.name, node);
    }
    folder.sum();
    return folder;
  }

  #measureListed(listed: Listed): FileNode | Folder | null {
    const found = this.#disk.find(listed.path);
    return found.kind === "folder" ? this.#measure({ kind: "folder", located: found }) : null;
  }

  /** A folder that may not be read is shown as empty rather than failing the whole listing. */
  #list(located: Located): Listed[] {
    try {
      return listFolder(this.#disk, located);
    } catch (error) {
      if (error instanceof ExpectedError) return [];
      throw error;
    }
  }

  #measureFile(real: string, path: VaultPath): FileNode | null {
    try {
      return { kind: "file", name: nameOf(path), path, facts: measureFile(real, path) };
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      // Gone meanwhile: not in the listing. Not ours to read: listed, for it is there.
      const facts = measureUnreadable(real);
      return facts === null ? null : { kind: "file", name: nameOf(path), path, facts };
    }
  }
}
