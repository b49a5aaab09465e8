import { errnoOf } from "../../errors.ts";
import { OpenFolder } from "../../vault/write/open-folder.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { RetiredWatches } from "./retired-watches.ts";
import { isSame, namesIn, stateOf, type FolderNames } from "./watch-disk.ts";
import type { WatchFailure } from "./watch-problem.ts";
import { WatchedFolder } from "./watched-folder.ts";
import type { WatchPlace } from "./watcher.ts";

/** How a watch names its own folder, because that is the name it is opened by. No entry can be named so. */
export const ITSELF = ".";

/** What opening says of something that is not a folder, or no longer. */
const NO_FOLDER = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

export interface FolderTreeOptions {
  readonly root: string;
  readonly watch: WatchPlace;
  /** Something was found that was not known, or that may have changed. */
  readonly onFound: (folder: WatchedFolder, name: string) => void;
  /** Something that was known is not there. */
  readonly onGone: (path: VaultPath) => void;
  readonly onEvent: (folder: WatchedFolder, name: string | null) => void;
  /** A folder is no longer watched; it is among the unwatched by now. */
  readonly onError: () => void;
}

/** The folders of the vault, each with its watch and the names in it, and the ways to bring them up to date with the disk. */
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

  /** When it is gone, so is the tree: {@link FolderTree.replant} begins another. */
  get root(): WatchedFolder {
    return this.#root;
  }

  replant(): void {
    this.#root = new WatchedFolder(null, "", this.#options.root);
  }

  /** Looks into a folder and all below it. `tellAll`: reports the files directly in it even if they were known. */
  scan(folder: WatchedFolder, { tellAll }: { readonly tellAll: boolean }): void {
    this.scanSome(this.#scanOne(folder, tellAll), Number.POSITIVE_INFINITY);
  }

  /** Looks into at most `count` of the folders that wait, which those below them join. */
  scanSome(waiting: WatchedFolder[], count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const folder = waiting.pop();
      if (folder === undefined) return;
      if (folder.isGone) continue;
      for (const below of this.#scanOne(folder, false)) waiting.push(below);
    }
  }

  /** Takes in a folder that was not known. It is to be scanned next. */
  adopt(parent: WatchedFolder, name: string): WatchedFolder {
    const folder = new WatchedFolder(parent, name, parent.placeOf(name));
    parent.folders.set(name, folder);
    this.#options.onFound(parent, name);
    return folder;
  }

  /** Gives up a folder and all below it. */
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

  /** Watches a folder, then lists it: what comes between is in the list or in an event. Returns the folders to look into next. */
  #scanOne(folder: WatchedFolder, tellAll: boolean): WatchedFolder[] {
    if (!tellAll && folder.watch !== null && folder.isUntouched()) {
      return [...folder.folders.values()];
    }
    let open: OpenFolder | null = null;
    try {
      // Held open: what is watched, listed and remembered is one and the same folder, whatever becomes of its name.
      open = new OpenFolder(folder.real);
      const state = stateOf(open.at(ITSELF));
      if (folder.state !== null && !isSame(folder.state, state)) {
        this.forget(folder);
        return folder.parent === null ? [] : [this.adopt(folder.parent, folder.name)];
      }
      folder.state = state;
      this.#attach(folder, open.at(ITSELF));
      return this.#compare(folder, namesIn(open.base), tellAll);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null) throw error;
      this.#failToRead(folder, errno);
      return [];
    } finally {
      open?.close();
    }
  }

  #compare(folder: WatchedFolder, found: FolderNames, tellAll: boolean): WatchedFolder[] {
    const { onFound, onGone } = this.#options;
    const before = folder.files;
    folder.files = found.files;
    for (const name of before) if (!found.files.has(name)) onGone(folder.pathOf(name));
    for (const name of found.files) {
      if (tellAll || !before.has(name)) onFound(folder, name);
    }
    for (const known of folder.folders.values()) {
      if (!found.folders.has(known.name)) this.forget(known);
    }
    return [...found.folders].map((name) => folder.folders.get(name) ?? this.adopt(folder, name));
  }

  /** A root that cannot be read is as good as gone; another folder stays known, and is tried again by a scan. */
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
      // The old one only now: the system takes both for one, and does not cease to watch for an instant.
      this.#detach(folder, null);
      folder.watch = attached;
      this.watched.add(folder);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === null) throw error;
      this.#detach(folder, { step: "watch", errno });
    }
  }

  /** Gives up a folder's watch, if it has one. Without a failure, it is not missed. */
  #detach(folder: WatchedFolder, failure: WatchFailure | null): void {
    if (folder.watch !== null) this.#retired.add(folder.watch);
    folder.watch = null;
    folder.failure = failure;
    this.watched.delete(folder);
    if (failure === null) this.unwatched.delete(folder);
    else this.unwatched.add(folder);
  }
}
