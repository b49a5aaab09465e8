import { readable, type Disk, type Located } from "../disk.ts";
import { notFound } from "../missing-path.ts";
import type { OpenFolder } from "../write/open-folder.ts";
import { errnoOf, ExpectedError } from "../../errors.ts";
import { listFolder, listOpenFolder, type ListedOnDisk } from "../listing.ts";
import { openToRead } from "../files/bytes.ts";
import {
  measureOpenFile,
  measureUnreadable,
  type FileFacts,
  type MeasuredFile,
} from "../files/measure.ts";
import { signatureOf } from "../files/version.ts";
import { withKnownTime, type KnownTime } from "../known-time.ts";
import { nearKnownNames } from "../near-names.ts";
import {
  isImage,
  isMarkdown,
  isUnder,
  joinPath,
  nameOf,
  parentOf,
  type VaultPath,
} from "../paths.ts";
import {
  fileNode,
  Folder,
  renamed,
  sumAll,
  type FileNode,
  type TreeNode,
} from "./folder-totals.ts";

export type { FileNode, FolderNode, TreeNode } from "./folder-totals.ts";

/**
 * Tokens and last change of every file and folder. Built by one walk, then kept right by {@link refresh}, which costs the
 * changed file and the folders above it, not the vault.
 */
export class Totals {
  readonly #disk: Disk;
  /** Names that are or were links to files: what they lead to changes, goes and comes under another name. */
  readonly #links = new Set<VaultPath>();
  /** Something changed since the links were measured. */
  #areLinksStale = false;
  #root: Folder | null = null;
  readonly #knownTime: KnownTime | undefined;
  /** Somebody will {@link restore} them in a moment. */
  isAwaited = false;

  /** @param knownTime asked for the times of files */
  constructor(disk: Disk, knownTime?: KnownTime) {
    this.#disk = disk;
    this.#knownTime = knownTime;
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
    if (measured === null) throw notFound(path);
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

  /** Up to three paths that resemble one that is missing; null when nothing is measured yet. */
  near(path: VaultPath): VaultPath[] | null {
    return this.#root === null ? null : nearKnownNames(path, this.#root);
  }

  /** Prepares {@link near}, which would take long the first time: a step for each folder. */
  *prepareNear(): Generator<void> {
    for (const folder of this.#folders()) {
      folder.named();
      yield;
    }
  }

  /** Every folder that is measured, but the vault itself. */
  folders(): VaultPath[] {
    return Array.from(this.#folders(), ({ path }) => path).filter((path) => path !== "");
  }

  *#folders(): Generator<Folder> {
    const waiting = this.#root === null ? [] : [this.#root];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      yield folder;
      for (const node of folder.nodes.values()) if (node.kind === "folder") waiting.push(node);
    }
  }

  get(path: VaultPath): TreeNode | null {
    if (this.#areLinksStale) this.#refreshLinks();
    return this.#nodeAt(path);
  }

  /** Whether a name is, or was, a link to a file. */
  isLink(path: VaultPath): boolean {
    return this.#links.has(path);
  }

  /** Whether a path is measured, whatever links did since. */
  has(path: VaultPath): boolean {
    return this.#nodeAt(path) !== null;
  }

  #nodeAt(path: VaultPath): FileNode | Folder | null {
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
    this.#areLinksStale = true;
    return this.#refreshOne(path);
  }

  /** Reads one file, and measures it again; before anything is measured, it is only read. */
  read(path: VaultPath): MeasuredFile | null {
    return this.#root === null ? this.#measureByPath(path) : this.refresh(path);
  }

  /**
   * Takes over which files are gone from a folder, and which folders are in it, reading no file: those that are new are for {@link refresh}
   * or {@link set}.
   */
  refreshFolder(path: VaultPath): void {
    if (this.#root === null) return;
    this.#areLinksStale = true;
    const found = readable(() => this.#disk.find(path));
    if (found?.kind !== "folder" || found.path !== path) {
      if (path !== "") this.#refreshOne(path);
      return;
    }
    const folder = this.#folderAt(path);
    const listed = new Map(
      (readable(() => listFolder(this.#disk, found)) ?? []).map((each) => [each.name, each]),
    );
    for (const node of folder.nodes.values())
      if (listed.get(node.name)?.kind !== node.kind) this.#put(folder, node.name, null);
    for (const each of listed.values()) if (each.kind === "folder") this.refreshFolder(each.path);
  }

  /** Takes over that a file or folder has another name, reading no file. */
  rename(from: VaultPath, to: VaultPath): void {
    const node = this.#nodeAt(from);
    const isLink = node?.kind === "file" && this.#links.has(from);
    const isOther = node?.kind === "file" && isMeasuredOtherwise(from, to);
    // A link means something else at another place.
    if (node === null || isLink || isOther || from === "" || to === "") {
      this.refresh(from);
      this.refresh(to);
      return;
    }
    this.#areLinksStale = true;
    this.#removeUnder(from);
    const links = [...this.#links].filter((link) => isUnder(link, from));
    for (const link of links) this.#links.add(to + link.slice(from.length));
    this.#place(renamed(node, to));
  }

  /** Takes over the facts of a file that its caller has just read or written, without reading it. */
  set(path: VaultPath, facts: FileFacts): void {
    if (this.#root === null) return;
    this.#areLinksStale = true;
    this.#place(fileNode(path, facts));
  }

  /** Not at every change, which would cost as many files as there are links. */
  #refreshLinks(): void {
    this.#areLinksStale = false;
    for (const link of this.#links) {
      const node = this.#nodeAt(link);
      const found = node?.kind === "file" ? readable(() => this.#disk.find(link)) : null;
      const isSame =
        node?.kind === "file" &&
        found?.kind === "file" &&
        found.path !== link &&
        node.facts.signature === signatureOf(found.stat);
      if (!isSame) this.#refreshOne(link);
    }
  }

  #refreshOne(path: VaultPath): MeasuredFile | null {
    const entry = readable(() => this.#disk.lookup(path));
    const found = entry === null ? null : readable(() => this.#disk.find(path));
    // What a listing does not show: nothing there, something ignored, a pipe, a link to a folder.
    if (entry === null || found === null || found.kind === "missing" || !found.isListed)
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
    this.#put(this.#folderAt(parentOf(node.path)), node.name, node);
  }

  #removeUnder(path: VaultPath): null {
    const parent = this.#nodeAt(parentOf(path));
    if (parent instanceof Folder) this.#put(parent, nameOf(path), null);
    return null;
  }

  #put(parent: Folder, name: string, node: FileNode | Folder | null): void {
    const before = parent.put(name, node);
    if (before === null && node === null) return;
    for (const folder of this.#foldersTo(parent.path)) folder.adjust(before, node);
  }

  /** The root and the folders on the way to one, itself included. */
  *#foldersTo(path: VaultPath): Generator<Folder> {
    let node: FileNode | Folder | undefined = this.#root ?? undefined;
    if (node !== undefined) yield node;
    for (const name of path === "" ? [] : path.split("/")) {
      node = node?.nodes.get(name);
      if (node?.kind !== "folder") return;
      yield node;
    }
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
        const before = folder.put(name, made);
        if (before !== null)
          for (const above of this.#foldersTo(folder.path)) above.adjust(before, made);
        folder = made;
      }
    }
    return folder;
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
      : measureReachable(() => measureOpenFile(openToRead(place), path), place);
    if (measured === null) return;
    // A link was measured with its time already.
    const { facts } = listed.isLink ? measured : withKnownTime(measured, path, this.#knownTime);
    folder.nodes.set(listed.name, fileNode(path, facts));
  }

  #measureByPath(path: VaultPath): MeasuredFile | null {
    const found = readable(() => this.#disk.find(path));
    const measured = found?.kind === "file" ? this.measure(found, path) : null;
    return measured === null || found?.kind !== "file"
      ? measured
      : withKnownTime(measured, found.path, this.#knownTime);
  }

  /** Reads a single file, or what a link leads to: opened and proven to be inside the vault. Keeps nothing of it. */
  measure({ real }: Located, path: VaultPath): MeasuredFile | null {
    return measureReachable(() => measureOpenFile(this.#disk.open(path).fd, path), real);
  }
}

/** A file that is gone meanwhile is not in the listing; one that may not be read is, for it is there. */
function measureReachable(measure: () => MeasuredFile, place: string): MeasuredFile | null {
  try {
    return measure();
  } catch (error) {
    if (errnoOf(error) === null && !(error instanceof ExpectedError)) throw error;
    const facts = measureUnreadable(place);
    return facts === null ? null : { facts, text: null, unread: error };
  }
}

/** Whether a file is read in another way because of its new name. */
function isMeasuredOtherwise(from: VaultPath, to: VaultPath): boolean {
  return isMarkdown(from) !== isMarkdown(to) || isImage(from) !== isImage(to);
}
