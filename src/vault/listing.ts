import { lstatSync, readdirSync, realpathSync, type Dirent } from "node:fs";
import path from "node:path";

import type { Disk, Located } from "./disk.ts";
import type { OpenFolder } from "./write/open-folder.ts";
import { ExpectedError, explainErrno } from "../errors.ts";
import { compareNames, joinPath, nameKey, showPath, type VaultPath } from "./paths.ts";

export interface Listed {
  readonly kind: "file" | "folder";
  /** As it is shown. */
  readonly name: string;
  readonly path: VaultPath;
  /** Where it is on disk, links followed. */
  readonly real: string;
  /** Its name in the folder on disk. */
  readonly onDisk: string;
  readonly isLink: boolean;
}

/**
 * What is directly in a folder, folders first, each in name order. Dotfiles, devices, and links that leave the vault or lead
 * to a folder (they could turn in a circle) are not listed.
 */
export function listFolder(disk: Disk, folder: Located): Listed[] {
  if (folder.kind !== "folder") {
    throw new ExpectedError("not_a_folder", `${showPath(folder.path)} is a file, not a folder.`);
  }
  const open = disk.openFolder(folder);
  try {
    return listOpenFolder(disk, folder, open);
  } finally {
    open.close();
  }
}

/** {@link listFolder} of a folder that is already open. */
export function listOpenFolder(disk: Disk, folder: Located, open: OpenFolder): Listed[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(open.base, { withFileTypes: true });
  } catch (error) {
    throw explainErrno(error, showPath(folder.path, "folder"));
  }
  const listed = new Map<string, Listed>();
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    const place = path.join(folder.real, entry.name);
    const real = entry.isSymbolicLink() ? linkedFile(disk, place) : place;
    const kind = entry.isDirectory()
      ? "folder"
      : entry.isFile() || entry.isSymbolicLink()
        ? "file"
        : null;
    if (kind === null || real === null) continue;
    const name = nameKey(entry.name);
    // Names that differ only in their Unicode form are one name: the one that opening it would find.
    if (listed.has(name) && entry.name !== name) continue;
    listed.set(name, {
      kind,
      name,
      path: joinPath(folder.path, name),
      real,
      onDisk: entry.name,
      isLink: entry.isSymbolicLink(),
    });
  }
  return [...listed.values()].toSorted((a, b) =>
    a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
  );
}

/** The file a link leads to, when it is one inside the vault. */
function linkedFile(disk: Disk, link: string): string | null {
  try {
    const target = realpathSync.native(link);
    return disk.contains(target) && lstatSync(target).isFile() ? target : null;
  } catch {
    return null;
  }
}

/** Every file under a folder, depth first in listing order. Folders that cannot be read are passed over. */
export function* walkFiles(disk: Disk, folder: Located): Generator<Listed> {
  for (const entry of readable(() => listFolder(disk, folder)) ?? []) {
    if (entry.kind === "file") yield entry;
    else {
      const found = readable(() => disk.find(entry.path));
      if (found?.kind === "folder") yield* walkFiles(disk, found);
    }
  }
}

/** What `look` gives, or null when it may not look there. */
export function readable<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
