import { isMarkdown, type VaultPath } from "../paths.ts";
import { isMarkedPrivate } from "../files/private-mark.ts";

/** What one kind of caller may not see of a vault: for them it does not exist. */
export interface ReadFilter {
  /** Whether a path is hidden by its name: itself, or a folder above it. */
  hidesPath(path: VaultPath): boolean;
  /** Whether a note is hidden by what it says of itself; asked with its beginning, and all of its frontmatter. */
  hidesNote(text: string): boolean;
}

/** What models and the programs that carry text to them may not see: folders marked private, and notes that say so themselves. */
export function privateFilter(folders: () => readonly VaultPath[]): ReadFilter {
  return {
    hidesPath: (path) => folders().some((folder) => isWithin(path, folder)),
    hidesNote: isMarkedPrivate,
  };
}

/** Letter case does not matter: on some disks `Journal` and `journal` are one folder. */
export function isWithin(path: VaultPath, folder: VaultPath): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Whether a file can say of itself that it is private. */
export function canSayPrivate(path: VaultPath): boolean {
  return isMarkdown(path);
}
