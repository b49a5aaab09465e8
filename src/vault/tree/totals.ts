import type { Disk, Located } from "../disk.ts";
import type { OpenFolder } from "../write/open-folder.ts";
import { errnoOf, ExpectedError } from "../../errors.ts";
import { listOpenFolder, readable, type ListedOnDisk } from "../listing.ts";
import {
  measureFile,
  measureOpenFile,
  measureUnreadable,
  type FileFacts,
  type MeasuredFile,
} from "../files/measure.ts";
import { compareNames, isGenerated, joinPath, nameOf, parentOf, type VaultPath } from "../paths.ts";

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

  /** Recomputes its sums from what is directly in it. */
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
      // The generated listing changes with every file, so its time is left out.
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
  /** Names that are or were links to files: what they lead to changes, goes and comes under another name. */
  readonly #links = new Set<VaultPath>();
  #root: Folder | null = null;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Walks the vault, or only what is under `path`; then {@link get} answers for that part. */
  scan(path: VaultPath = ""): TreeNode {
    const located = this.#disk.get(path);
    if (located.kind === "folder") {
      const folder = this.#measureFolder(located, located.path);
      if (path === "") this.#root = folder;
      return folder;
    }
    const measured = this.#measureByPath(located.path);
    if (measured === null) throw new ExpectedError("not_found", `vault/${path} does not exist.`);
    return fileNode(located.path, measured.facts);
  }

  /** Takes over what was measured before, reading no file. A folder comes without facts. */
  restore(known: Iterable<{ path: VaultPath; facts: FileFacts | null; isLink: boolean }>): void {
    this.#root = new Folder("");
    this.#links.clear();
    for (const { path, facts, isLink } of known) {
      if (facts === null) this.#folderAt(path);
      else {
        this.#folderAt(parentOf(path)).nodes.set(nameOf(path), fileNode(path, facts));
        if (isLink) this.#links.add(path);
      }
    }
    sumAll(this.#root);
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

  /**
   * Measures one path again that was written, moved, removed or created.
   * @returns what was read of a file, so that the caller need not read it too; null for anything else
   */
  refresh(path: VaultPath): MeasuredFile | null {
    if (this.#root === null) return null;
    if (path === "") {
      this.scan();
      return null;
    }
    const measured = this.#refreshOne(path);
    this.#refreshLinks(path);
    return measured;
  }

  /** Takes over the facts of a file that its caller has just read or written, without reading it. */
  set(path: VaultPath, facts: FileFacts): void {
    if (this.#root === null) return;
    this.#place(fileNode(path, facts));
    this.#refreshLinks(path);
  }

  #refreshLinks(changed: VaultPath): void {
    for (const link of this.#links) if (link !== changed) this.#refreshOne(link);
  }

  #refreshOne(path: VaultPath): MeasuredFile | null {
    const entry = readable(() => this.#disk.lookup(path));
    const found = entry === null ? null : readable(() => this.#disk.find(path));
    // What a listing does not show: nothing there, a pipe, a link to a folder.
    if (entry === null || found === null || found.kind === "missing")
      return this.#removeUnder(path);
    if (entry.kind === "link") this.#links.add(path);
    else if (found.kind === "folder") {
      this.#place(this.#measureFolder(found, path));
      return null;
    }
    const measured = this.#measureByPath(path);
    if (measured === null) return this.#removeUnder(path);
    this.#place(fileNode(path, measured.facts));
    return measured;
  }

  #place(node: FileNode | Folder): void {
    const parent = this.#folderAt(parentOf(node.path));
    parent.nodes.set(node.name, node);
    this.#sumUpwards(parent.path);
  }

  #removeUnder(path: VaultPath): null {
    const parent = this.get(parentOf(path));
    if (!(parent instanceof Folder)) return null;
    parent.nodes.delete(nameOf(path));
    this.#sumUpwards(parent.path);
    return null;
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

  /** A folder that may not be read is shown as empty rather than failing the whole listing. */
  #measureFolder(located: Located, path: VaultPath): Folder {
    const folder = new Folder(path);
    const below: ListedOnDisk[] = [];
    const open = readable(() => this.#disk.openFolder(located));
    if (open !== null) {
      try {
        for (const listed of readable(() => listOpenFolder(this.#disk, located, open)) ?? []) {
          if (listed.kind === "folder") below.push(listed);
          else this.#addFile(folder, listed, open);
        }
      } finally {
        open.close();
      }
    }
    for (const listed of below) {
      const found = readable(() => this.#disk.find(listed.path));
      if (found?.kind === "folder")
        folder.nodes.set(listed.name, this.#measureFolder(found, found.path));
      else folder.nodes.set(listed.name, new Folder(listed.path));
    }
    folder.sum();
    return folder;
  }

  #addFile(folder: Folder, listed: ListedOnDisk, open: OpenFolder): void {
    const path = joinPath(folder.path, listed.name);
    if (listed.isLink) this.#links.add(path);
    const place = open.at(listed.onDisk);
    const measured = listed.isLink
      ? this.#measureByPath(path)
      : measureReachable(() => measureFile(place, path), place);
    if (measured !== null) folder.nodes.set(listed.name, fileNode(path, measured.facts));
  }

  /** For a single file, or a link: opened and proven to be inside the vault. */
  #measureByPath(path: VaultPath): MeasuredFile | null {
    const found = readable(() => this.#disk.find(path));
    if (found === null || found.kind !== "file") return null;
    return measureReachable(() => measureOpenFile(this.#disk.open(path).fd, path), found.real);
  }
}

function sumAll(folder: Folder): void {
  for (const node of folder.nodes.values()) if (node instanceof Folder) sumAll(node);
  folder.sum();
}

function fileNode(path: VaultPath, facts: FileFacts): FileNode {
  return { kind: "file", name: nameOf(path), path, facts };
}

/** A file that is gone meanwhile is not in the listing; one that may not be read is, for it is there. */
function measureReachable(measure: () => MeasuredFile, place: string): MeasuredFile | null {
  try {
    return measure();
  } catch (error) {
    if (errnoOf(error) === null && !(error instanceof ExpectedError)) throw error;
    const facts = measureUnreadable(place);
    return facts === null ? null : { facts, text: null };
  }
}
