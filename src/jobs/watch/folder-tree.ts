import path from "node:path";

import { errnoOf } from "../../errors.ts";
import type { FolderRules } from "../../vault/folder-rules.ts";
import type { IgnoreRules } from "../../vault/ignore-rules.ts";
import { joinPath, nameKey, type VaultPath } from "../../vault/paths.ts";
import { OpenFolder } from "../../vault/write/open-folder.ts";
import { RetiredWatches } from "./retired-watches.ts";
import {
  isSame,
  namesIn,
  stateOf,
  statsOf,
  type FolderNames,
  type FolderState,
} from "./watch-disk.ts";
import type { WatchFailure } from "./watch-problem.ts";
import type { Watch, WatchPlace } from "./watcher.ts";

const SECOND = 1_000_000_000n;

/** A folder the watcher knows, and the names found directly in it. */
export class WatchedFolder {
  readonly parent: WatchedFolder | null;
  /** Its name on disk. */
  readonly name: string;
  readonly real: string;
  readonly path: VaultPath;
  /** By their names on disk, like `files`. */
  readonly folders = new Map<string, WatchedFolder>();
  files = new Set<string>();
  /** As it was just before it was last listed; null until then. */
  state: FolderState | null = null;
  /** What was left out when it was last listed. */
  rules: FolderRules | null = null;
  watch: Watch | null = null;
  failure: WatchFailure | null = null;
  /** It is no longer at its place: later events of its watch are about another path. */
  isGone = false;

  constructor(parent: WatchedFolder | null, name: string, real: string) {
    this.parent = parent;
    this.name = name;
    this.real = real;
    this.path = parent === null ? "" : parent.pathOf(name);
  }

  pathOf(name: string): VaultPath {
    return joinPath(this.path, nameKey(name));
  }

  placeOf(name: string): string {
    return path.join(this.real, name);
  }

  /** By the rules of the last listing: when they change, all is listed again. */
  isLeftOut(name: string, isFolder: boolean): boolean {
    return this.rules !== null && this.rules.judge(name, isFolder) !== null;
  }

  /** Whether its place still holds this very folder. */
  isStill(): boolean {
    const stats = statsOf(this.real);
    // A file may have got the inode of a folder that is gone.
    return this.state !== null && stats?.isDirectory() === true && isSame(this.state, stats);
  }

  /** Whether, moreover, no name in it was added or removed. Whole-second ctimes are not trusted. */
  isUntouched(): boolean {
    const stats = statsOf(this.real);
    if (this.state === null || stats?.isDirectory() !== true) return false;
    const { ctimeNs } = this.state;
    return isSame(this.state, stats) && stats.ctimeNs === ctimeNs && ctimeNs % SECOND !== 0n;
  }
}

/** The name a watch gives its own folder, as it is opened by it. No entry can have it. */
export const ITSELF = ".";

/** Errors of opening what is not a folder, or no longer. */
const NO_FOLDER = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

export interface FolderTreeOptions {
  readonly root: string;
  readonly ignore: IgnoreRules;
  readonly watch: WatchPlace;
  /** Called with a name that was not known, or whose file may have changed. */
  readonly onFound: (folder: WatchedFolder, name: string) => void;
  /** Called with a path that was known and no longer exists. */
  readonly onGone: (path: VaultPath) => void;
  readonly onEvent: (folder: WatchedFolder, name: string | null) => void;
  /** Called when a watch failed; its folder is among the unwatched by now. */
  readonly onError: () => void;
}

/** The folders of the vault, each with its watch and the names in it, and how they are compared with the disk. */
export class FolderTree {
  readonly watched = new Set<WatchedFolder>();
  readonly unwatched = new Set<WatchedFolder>();
  readonly #options: FolderTreeOptions;
  readonly #retired = new RetiredWatches();
  #root: WatchedFolder;

  constructor(options: FolderTreeOptions) {
    this.#options = options;
    this.#root = new WatchedFolder(null, "", options.root);
  }

  /** When it is gone, so is the tree: {@link FolderTree.replant} starts another. */
  get root(): WatchedFolder {
    return this.#root;
  }

  replant(): void {
    this.#root = new WatchedFolder(null, "", this.#options.root);
  }

  /** Scans a folder and all below it. `reportAll`: reports the files directly in it even if they were known. */
  scan(folder: WatchedFolder, { reportAll }: { readonly reportAll: boolean }): void {
    this.scanSome(this.#scanOne(folder, reportAll), Number.POSITIVE_INFINITY);
  }

  /** Scans at most `count` of the waiting folders, and adds those below them to the waiting ones. */
  scanSome(waiting: WatchedFolder[], count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const folder = waiting.pop();
      if (folder === undefined) return;
      if (folder.isGone) continue;
      for (const below of this.#scanOne(folder, false)) waiting.push(below);
    }
  }

  /** Adds a folder that was not known. The caller scans it next. */
  adopt(parent: WatchedFolder, name: string): WatchedFolder {
    const folder = new WatchedFolder(parent, name, parent.placeOf(name));
    parent.folders.set(name, folder);
    this.#options.onFound(parent, name);
    return folder;
  }

  /** Removes a folder and all below it. */
  forget(folder: WatchedFolder): void {
    folder.parent?.folders.delete(folder.name);
    const gone = [folder];
    for (const each of gone) {
      each.isGone = true;
      this.#detach(each, null);
      this.#options.onGone(each.path);
      for (const name of each.files) this.#options.onGone(each.pathOf(name));
      for (const below of each.folders.values()) gone.push(below);
    }
  }

  close(): void {
    for (const folder of this.watched) folder.watch?.close();
    this.watched.clear();
    this.unwatched.clear();
    this.#retired.closeAll();
  }

  /** Watches a folder, then lists it, so that no change is missed in between. Returns the folders to scan next. */
  #scanOne(folder: WatchedFolder, reportAll: boolean): WatchedFolder[] {
    const { ignore } = this.#options;
    const isKnown = !reportAll && folder.watch !== null && folder.isUntouched();
    if (isKnown && ignore.inFolder(folder.real) === folder.rules) {
      return [...folder.folders.values()];
    }
    let open: OpenFolder | null = null;
    try {
      // Held open, so that the folder that is watched, listed and recorded is the same, whatever happens to its name.
      open = new OpenFolder(folder.real);
      const state = stateOf(open.at(ITSELF));
      if (folder.state !== null && !isSame(folder.state, state)) {
        this.forget(folder);
        return folder.parent === null ? [] : [this.adopt(folder.parent, folder.name)];
      }
      folder.state = state;
      this.#attach(folder, open.at(ITSELF));
      const found = namesIn(
        open.base,
        (entries) => (folder.rules = ignore.inFolder(folder.real, entries)),
      );
      return this.#compare(folder, found, reportAll);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null) throw error;
      this.#failToRead(folder, errno);
      return [];
    } finally {
      open?.close();
    }
  }

  #compare(folder: WatchedFolder, found: FolderNames, reportAll: boolean): WatchedFolder[] {
    const { onFound, onGone } = this.#options;
    const before = folder.files;
    folder.files = found.files;
    for (const name of before) if (!found.files.has(name)) onGone(folder.pathOf(name));
    for (const name of found.files) {
      if (reportAll || !before.has(name)) onFound(folder, name);
    }
    for (const known of folder.folders.values()) {
      if (!found.folders.has(known.name)) this.forget(known);
    }
    return [...found.folders].map((name) => folder.folders.get(name) ?? this.adopt(folder, name));
  }

  /** A root that cannot be read counts as gone; another folder stays known, and the next scan tries again. */
  #failToRead(folder: WatchedFolder, errno: string): void {
    if (folder.parent === null || NO_FOLDER.has(errno)) return this.forget(folder);
    folder.state = null;
    this.#detach(folder, { step: "open", errno });
    this.#compare(folder, { files: new Set(), folders: new Set() }, false);
  }

  #attach(folder: WatchedFolder, place: string): void {
    const { watch, onEvent, onError } = this.#options;
    try {
      const attached = watch(place, { recursive: false }, (_, name) => onEvent(folder, name));
      attached.on("error", (error) => {
        if (folder.watch !== attached) return;
        this.#detach(folder, { step: "watch", errno: errnoOf(error) ?? error.message });
        onError();
      });
      // Only now close the old one: the system takes both for one, and never stops watching.
      this.#detach(folder, null);
      folder.watch = attached;
      this.watched.add(folder);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null) throw error;
      this.#detach(folder, { step: "watch", errno });
    }
  }

  /** Removes a folder's watch, if it has one. With a failure, the folder counts as unwatched. */
  #detach(folder: WatchedFolder, failure: WatchFailure | null): void {
    if (folder.watch !== null) this.#retired.add(folder.watch);
    folder.watch = null;
    folder.failure = failure;
    this.watched.delete(folder);
    if (failure === null) this.unwatched.delete(folder);
    else this.unwatched.add(folder);
  }
}
