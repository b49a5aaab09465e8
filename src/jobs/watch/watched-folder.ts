import path from "node:path";

import { joinPath, nameKey, type VaultPath } from "../../vault/paths.ts";
import { isSame, statsOf, type FolderState } from "./watch-disk.ts";
import type { WatchFailure } from "./watch-problem.ts";
import type { Watch } from "./watcher.ts";

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
