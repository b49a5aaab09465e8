import { lstatSync, readdirSync, realpathSync, type Dirent } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../errors.ts";
import { readable, type Disk, type Located } from "./disk.ts";
import { signatureOf, touchedOf } from "./files/version.ts";
import { compareNames, joinPath, nameKey, showPath, type VaultPath } from "./paths.ts";
import type { VaultItem } from "./vault.ts";
import type { OpenFolder } from "./write/open-folder.ts";
import { isReadOnly } from "./write/stamper.ts";

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
 * What is directly in a folder, folders first, each in name order. Dotfiles, what is ignored, devices, and links that leave the vault or lead
 * to a folder (they could form a loop) are not listed.
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
export function listOpenFolder(disk: Disk, folder: Located, open: OpenFolder): ListedOnDisk[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(open.base, { withFileTypes: true });
  } catch (error) {
    throw explainErrno(error, showPath(folder.path, "folder"));
  }
  const listed = new Map<string, ListedOnDisk>();
  const rules = disk.ignore.inFolder(folder.real, entries);
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    const isLink = entry.isSymbolicLink();
    const verdict = rules.judge(entry.name, entry.isDirectory());
    // A folder that is in no list itself, and was named, is listed.
    if (verdict === "hidden" || (verdict !== null && folder.isListed)) continue;
    if (isLink ? !leadsToFile(disk, path.join(folder.real, entry.name)) : isOther(entry)) continue;
    const kind = entry.isDirectory() ? "folder" : "file";
    const name = nameKey(entry.name);
    // Names that differ only in their Unicode form are one name: the one that opening it would find.
    if (listed.has(name) && entry.name !== name) continue;
    const vaultPath = joinPath(folder.path, name);
    listed.set(name, { kind, name, path: vaultPath, onDisk: entry.name, isLink });
  }
  return [...listed.values()].toSorted((a, b) =>
    a.kind === b.kind ? compareNames(a.name, b.name) : a.kind === "folder" ? -1 : 1,
  );
}

function isOther(entry: Dirent): boolean {
  return !entry.isFile() && !entry.isDirectory();
}

/** Whether a link leads to a file inside the vault. */
function leadsToFile(disk: Disk, link: string): boolean {
  try {
    const target = realpathSync.native(link);
    return disk.contains(target, "file") && lstatSync(target).isFile();
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

/** What was found on the disk, as an item of the vault. */
export function itemOf({ kind, path: vaultPath, stat, isListed }: Located): VaultItem {
  return {
    kind,
    isListed,
    path: vaultPath,
    size: Number(stat.size),
    version: signatureOf(stat),
    touched: touchedOf(stat),
    modified: Number(stat.mtimeMs),
    created: Number(stat.birthtimeMs),
    isReadOnly: isReadOnly(stat),
  };
}
