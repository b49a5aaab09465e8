import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Makes the name of a file, and those of all folders that lead to it, survive a power cut, where the system can. Never throws: what a disk
 * refuses here it refuses again at the next write.
 */
export function syncNamesOf(file: string): void {
  const folder = path.dirname(path.resolve(file));
  syncFolder(folder);
  if (folder !== path.dirname(folder)) syncNamesOf(folder);
}

/** Makes the names in a folder survive a power cut, as {@link syncNamesOf}. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows opens no folders, and a folder above may not be read.
  }
}

/** Replaces a small file of this user alone: a power cut leaves it as it was or as it is to be, and after the return as it is to be. */
export function replaceDurably(file: string, text: string): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, file);
  syncNamesOf(file);
}
