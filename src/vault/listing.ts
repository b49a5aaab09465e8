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
  readonly isLink: boolean;
}

/** With its name in the folder on disk, which may be of another Unicode form. */
export interface ListedOnDisk extends Listed {
  readonly onDisk: string;
}

/**
 * What is directly in a folder, folders first, each in name order. Dotfiles, devices, and links that leave the vault or lead
 * to a folder (they could form a loop) are not listed.
 */
export function listFolder(disk: Disk, folder: Located): Listed[] {
  if (folder.kind !== "folder") {
    throw new ExpectedError("not_a_folder", `${showPath(folder.path)} is a file, not a folder.`);
  }
  const open = disk.openFolder(folder);
  try {
    return listOpenFolder(disk, folder, open).map(withoutDiskName);
  } finally {
    open.close();
  }
}

function withoutDiskName({ kind, name, path: vaultPath, isLink }: ListedOnDisk): Listed {
  return { kind, name, path: vaultPath, isLink };
}

/** {@link listFolder} of a folder that is already open. */
export function listOpenFolder(disk: Disk, folder: Located, open: OpenFolder): ListedOnDisk[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(open.base, { withFileTypes: true });
  } catch (error) {
    throw explainErrno(error, showPath(folder.path, "folder"));
  }
  const listed = new Map<string, ListedOnDisk>();
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isSymbolicLink() && !leadsToFile(disk, path.join(folder.real, entry.name))) continue;
    const kind = entry.isDirectory()
      ? "folder"
      : entry.isFile() || entry.isSymbolicLink()
        ? "file"
        : null;
    if (kind === null) continue;
    const name = nameKey(entry.name);
    // Names that differ only in their Unicode form are one name: the one that opening it would find.
    if (listed.has(name) && entry.name !== name) continue;
    listed.set(name, {
      kind,
      name,
      path: joinPath(folder.path, name),
      onDisk: entry.name,
      isLink: entry.isSymbolicLink(),
    });
  }
  return [...listed.values()].toSorted((a, b) =>
    a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
  );
}

/** Whether a link leads to a file inside the vault. */
function leadsToFile(disk: Disk, link: string): boolean {
  try {
    const target = realpathSync.native(link);
    return disk.contains(target) && lstatSync(target).isFile();
  } catch {
    return false;
  }
}

/** Every file under a folder, depth first in listing order. Folders that cannot be read are skipped. */
export function* walkFiles(disk: Disk, folder: Located): Generator<Listed> {
  for (const entry of readable(() => listFolder(disk, folder)) ?? []) {
    if (entry.kind === "file") yield entry;
    else {
      const found = readable(() => disk.find(entry.path));
      if (found?.kind === "folder") yield* walkFiles(disk, found);
    }
  }
}

/** The result of `look`; null when it throws an expected error, as for a folder that may not be read. */
export function readable<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
