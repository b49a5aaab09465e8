import type { IgnoreRules } from "../../vault/ignore-rules.ts";
import type { VaultPath } from "../../vault/paths.ts";
import { FolderWatcher } from "./folder-watcher.ts";
import { RecursiveWatcher } from "./recursive-watcher.ts";
import { watchWithNode } from "./watch-disk.ts";

export interface WatcherOptions {
  /** The vault's real folder, links followed. */
  readonly root: string;
  /**
   * Called with what may have changed, collected for `settle` milliseconds (5 by default) after the first event.
   * Never concurrently with itself.
   */
  readonly onChanges: (changes: WatchedChanges) => void;
  /** Called with a problem for the person, or null when it is over: the kernel's limit of watches is reached, the vault is gone. */
  readonly onProblem: (problem: string | null) => void;
  /** What is neither watched nor reported. */
  readonly ignore: IgnoreRules;
  /** Called when an ignore file may have changed. Compare everything then, and call `rescan`. */
  readonly onIgnoreFile: () => void;
  /** One watch for the whole tree; by default on macOS and Windows, where it is native. */
  readonly recursive?: boolean;
  readonly settle?: number;
}

export interface WatchedChanges {
  /**
   * Files and folders that may be new, changed or gone. A folder is named when it is new or gone, or both: replaced by another.
   * It stands for all below it: every file now in it is named too, so whatever else was known there is gone.
   */
  readonly paths: ReadonlySet<VaultPath>;
  /** So many events at once that some may have been lost: compare everything, and call `rescan`. */
  readonly isBurst: boolean;
}

export interface Watcher {
  /**
   * Resolves when every folder is watched. What is there already is not reported: list the vault after it, not before, and no change
   * is missed.
   */
  start(): Promise<void>;
  /** How many folders are watched; one for the whole tree when `recursive`. */
  readonly folders: number;
  /** How many folders could not be watched. While there are any, compare everything and call `rescan` at intervals. */
  readonly unwatched: number;
  /**
   * Scans every folder: watches those that are not watched, removes those that are gone, and reports files that were added or removed
   * without an event. A file whose content changed without an event is for the caller to find.
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

/** `fs.watch`, or a test's replacement. Throws the system's error. */
export type WatchPlace = (
  place: string,
  options: { readonly recursive: boolean },
  onEvent: (type: string, name: string | null) => void,
) => Watch;

/** Watches a folder and all below it. Dotfiles and ignored paths are left out; links to folders are not followed. */
export function createWatcher(options: WatcherOptions, watch: WatchPlace = watchWithNode): Watcher {
  const recursive = options.recursive ?? ["darwin", "win32"].includes(process.platform);
  return recursive ? new RecursiveWatcher(options, watch) : new FolderWatcher(options, watch);
}
