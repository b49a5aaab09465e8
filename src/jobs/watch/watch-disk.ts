import {
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  type BigIntStats,
  type Dirent,
} from "node:fs";

import type { FolderRules } from "../../vault/folder-rules.ts";
import type { WatchPlace } from "./watcher.ts";

/*
 * The watcher's access to the disk. It reads names and no content, so it needs none of the vault's checks: what it reports is opened
 * through the vault.
 */

/** Which folder it is, whatever its name. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Which folder it is, and when a name in it was last added or removed. */
export interface FolderState extends Identity {
  readonly ctimeNs: bigint;
}

/** The names in a folder that are not hidden, as they are on disk. */
export interface FolderNames {
  readonly files: Set<string>;
  readonly folders: Set<string>;
}

export const watchWithNode: WatchPlace = watch;

export function isSame(a: Identity, b: Identity): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Throws the system's error. */
export function stateOf(folder: string): FolderState {
  const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
  return { dev, ino, ctimeNs };
}

/** Null when nothing is there, or it may not be seen. */
export function statsOf(place: string): BigIntStats | null {
  try {
    return lstatSync(place, { bigint: true });
  } catch {
    return null;
  }
}

/** What the watcher takes a place for. A link is a file; a link to a folder is nothing, like a device. */
export function kindOf(place: string): "file" | "folder" | null {
  const stats = statsOf(place);
  if (stats === null) return null;
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return leadsToFolder(place) ? null : "file";
  return stats.isFile() ? "file" : null;
}

/**
 * Throws the system's error.
 * @param rulesOf what is ignored in a folder that holds these entries
 */
export function namesIn(
  folder: string,
  rulesOf?: (entries: readonly Dirent[]) => FolderRules,
): FolderNames {
  const files = new Set<string>();
  const folders = new Set<string>();
  const entries = readdirSync(folder, { withFileTypes: true });
  const rules = rulesOf?.(entries);
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    if (rules !== undefined && rules.judge(entry.name, entry.isDirectory()) !== null) continue;
    if (entry.isDirectory()) folders.add(entry.name);
    else if (entry.isFile()) files.add(entry.name);
    else if (entry.isSymbolicLink() && !leadsToFolder(`${folder}/${entry.name}`)) {
      files.add(entry.name);
    }
  }
  return { files, folders };
}

/** A folder that cannot be read is empty too. */
export function isEmptyFolder(folder: string): boolean {
  try {
    const { files, folders } = namesIn(folder);
    return files.size + folders.size === 0;
  } catch {
    return true;
  }
}

/** A limit of the kernel's watches, or null where there is none: only Linux has them. */
export function watchLimit(name: string): number | null {
  try {
    return Number.parseInt(readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8"), 10);
  } catch {
    return null;
  }
}

function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}
