import { closeSync, constants, openSync, statSync } from "node:fs";

import { errnoOf } from "../errors.ts";
import { BOM } from "../text/utf8.ts";
import { readBytes } from "./files/bytes.ts";
import { joinPath, nameKey, showPath, type VaultPath } from "./paths.ts";

/** Hides what its patterns match, like a dotfile. */
export const HIDING_FILE = ".coffreignore";
/** Keeps what its patterns match out of lists and index. */
export const UNLISTING_FILE = ".gitignore";

export function isIgnoreFile(name: string): boolean {
  return name === HIDING_FILE || name === UNLISTING_FILE;
}

/** Bytes. Every pattern is tried on every name, so a file of millions of them would stall the vault. */
const LARGEST = 256 * 1024;

/** An ignore file as it was read. */
export interface IgnoreFile {
  /** Differs when the file differs. */
  readonly signature: string;
  /** Its lines, as patterns from the root of the vault; null when it cannot be read. */
  readonly patterns: readonly string[] | null;
  /** Why it cannot be read, for the person. */
  readonly problem: string | null;
}

/**
 * Reads an ignore file of a folder, unless `known` is still what is there.
 * @param place the folder on disk
 * @returns null when there is none
 */
export function readIgnoreFile(
  place: string,
  folder: VaultPath,
  name: string,
  known: IgnoreFile | null,
): IgnoreFile | null {
  const file = `${place}/${name}`;
  const found = signatureOf(file);
  if (found === null) return null;
  const { signature, size } = found;
  if (known?.signature === signature) return known;
  const shown = showPath(joinPath(folder, name));
  if (size > LARGEST) {
    const problem = `${shown} is larger than ${LARGEST / 1024} kB, too large for an ignore file.`;
    return { signature, patterns: null, problem };
  }
  try {
    // Without waiting, should it be a pipe by now.
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const text = readBytes(fd, 0, size).toString("utf8");
      return { signature, patterns: patternsFrom(text, folder), problem: null };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    if (errno === "ENOENT") return null;
    return { signature, patterns: null, problem: `${shown} cannot be read (${errno}).` };
  }
}

/** Null when nothing is there, or something else than a file. A link is followed: it is the person's. */
function signatureOf(file: string): { signature: string; size: number } | null {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat?.isFile() !== true) return null;
    const { dev, ino, size, mtimeNs, ctimeNs } = stat;
    return { signature: [dev, ino, size, mtimeNs, ctimeNs].join(":"), size: Number(size) };
  } catch (error) {
    // A folder that may not be entered: nothing in it can be reached either.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** The patterns of an ignore file in `folder`, written as they would be in one at the root. */
export function patternsFrom(text: string, folder: VaultPath): string[] {
  const lines = (text.startsWith(BOM) ? text.slice(BOM.length) : text).split(/\r?\n/u);
  return lines
    .filter((line) => !/^(?:!?\/?\s*|#.*)$/u.test(line))
    .map((line) => fromRoot(line.normalize("NFC"), folder));
}

function fromRoot(pattern: string, folder: VaultPath): string {
  if (folder === "") return pattern;
  const isNegated = pattern.startsWith("!");
  const body = isNegated ? pattern.slice(1) : pattern;
  const isAnchored = body.trimEnd().slice(0, -1).includes("/");
  const prefix = folder.replaceAll(/[\\*?[\]! #]/gu, String.raw`\$&`);
  const inside = isAnchored ? body.replace(/^\//u, "") : `**/${body}`;
  return `${isNegated ? "!" : ""}/${prefix}/${inside}`;
}

/** A path, or a name on disk, in a folder, in the form that patterns are matched with. */
export function matched(folder: VaultPath, inside: string, isFolder: boolean): string {
  const path = joinPath(folder, nameKey(inside));
  return isFolder ? `${path}/` : path;
}
