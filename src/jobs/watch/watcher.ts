import type { VaultPath } from "../../vault/paths.ts";
import { FolderWatcher } from "./folder-watcher.ts";
import { RecursiveWatcher } from "./recursive-watcher.ts";
import { watchWithNode } from "./watch-disk.ts";

export interface WatcherOptions {
  /** The vault's real folder, links followed. */
  readonly root: string;
  /**
   * Called with what may have changed, put together over `settle` milliseconds (5 unless told) after the first event.
   * Never concurrently with itself.
   */
  readonly onChanges: (changes: WatchedChanges) => void;
  /** Something the person should know, or null when it is over: the kernel's limit of watches is reached, the vault is gone. */
  readonly onProblem: (problem: string | null) => void;
  /** One watch for the whole tree, native on macOS and Windows. Unless told: there, and nowhere else. */
  readonly recursive?: boolean;
  readonly settle?: number;
}

export interface WatchedChanges {
  /**
   * Files and folders that may be new, changed or gone. A folder is named when it is new or gone, or both: replaced by another.
   * It stands for all below it: every file now in it is named too, so whatever else was known there is gone.
   */
  readonly paths: ReadonlySet<VaultPath>;
  /** So many events at once that some may have been lost: look at everything, and call `rescan`. */
  readonly isBurst: boolean;
}

export interface Watcher {
  /**
   * Resolves when every folder is watched. What is there already is not reported: list the vault after it, not before,
   * and nothing falls between.
   */
  start(): Promise<void>;
  /** How many folders are watched; one for the whole tree when `recursive`. */
  readonly folders: number;
  /** How many folders could not be watched. While there are any, look at the vault from time to time, and `rescan`. */
  readonly unwatched: number;
  /**
   * Looks at every folder: watches those that are not (any more), forgets those that are gone, and reports the files that
   * came or went unseen. A file whose content changed unseen is the caller's to find.
   */
  rescan(): void;
  /** No callback comes after it. */
  close(): void;
}

/** A watch held by the system, as `fs.watch` gives it. */
export interface Watch {
  close(): void;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** `fs.watch`, or what a test puts in its place. Throws the system's error. */
export type WatchPlace = (
  place: string,
  options: { readonly recursive: boolean },
  onEvent: (type: string, name: string | null) => void,
) => Watch;

/** Watches a folder and all below it. Dotfiles are ignored; links to folders are not followed. */
export function createWatcher(options: WatcherOptions, watch: WatchPlace = watchWithNode): Watcher {
  const recursive = options.recursive ?? ["darwin", "win32"].includes(process.platform);
  return recursive ? new RecursiveWatcher(options, watch) : new FolderWatcher(options, watch);
}
