import type { NowAt } from "../history/moved-places.ts";
import { isMarkdown, parentOf, type VaultPath } from "../paths.ts";
import { isMarkedPrivate } from "../files/private-mark.ts";

/** What one kind of caller may not see of a vault: for them it does not exist. */
export interface ReadFilter {
  /** Whether a path is hidden by its name, with all under it: itself, or a folder above it. */
  hidesPath(path: VaultPath): boolean;
  /** Whether only folders may be seen at a path, for something deeper in them: a file there, and what is beside the way, are hidden. Without it, none is so. */
  isOnlyPassed?(path: VaultPath): boolean;
  /**
   * Whether what the history names at a path is hidden by a folder that was above it then, and is somewhere else by now: what hides a folder goes
   * with it when it is moved.
   */
  hidesOld(path: VaultPath, nowAt: NowAt): boolean;
  /** Whether a note is hidden by what it says of itself; asked with its beginning, and all of its frontmatter. Null when only names count: then no note is read for it. */
  readonly hidesNote: ((text: string) => boolean) | null;
}

/** What models and the programs that carry text to them may not see: folders marked private, and notes that say so themselves. */
export function privateFilter(folders: () => readonly VaultPath[]): ReadFilter {
  const hidesPath = (path: VaultPath): boolean =>
    folders().some((folder) => isWithin(path, folder));
  return {
    hidesPath,
    hidesOld: (path, nowAt) => withFoldersAbove(path).some((at) => hidesPath(nowAt(at))),
    hidesNote: isMarkedPrivate,
  };
}

function isOnlyPassed(filter: ReadFilter, path: VaultPath): boolean {
  return filter.isOnlyPassed?.(path) ?? false;
}

/** Whether anything but a folder is hidden at a path by its name. */
export function hidesFile(filter: ReadFilter, path: VaultPath): boolean {
  return filter.hidesPath(path) || isOnlyPassed(filter, path);
}

/** Letter case does not matter: on some disks `Journal` and `journal` are one folder. */
export function isWithin(path: VaultPath, folder: VaultPath): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Whether a file can say of itself that it is hidden. */
export function canSayHidden(filter: ReadFilter, path: VaultPath): boolean {
  return filter.hidesNote !== null && isMarkdown(path);
}

function withFoldersAbove(path: VaultPath): VaultPath[] {
  return path === "" ? [] : [path, ...withFoldersAbove(parentOf(path))];
}
