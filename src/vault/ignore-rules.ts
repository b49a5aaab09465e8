import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { errnoOf, ExpectedError } from "../errors.ts";
import type { Entry } from "./disk.ts";
import { ALWAYS_LISTED, FolderRules, NO_FILES, Patterns, type Verdict } from "./folder-rules.ts";
import {
  HIDING_FILE,
  matched,
  patternsFrom,
  readIgnoreFile,
  UNLISTING_FILE,
  type IgnoreFile,
} from "./ignore-file.ts";
import { joinPath, nameKey, namesUnder, parentOf, showPath, type VaultPath } from "./paths.ts";

/** Milliseconds until an ignore file is checked for changes again, unless the watcher reports one before. */
const FRESH = 100;

/** The refusal of a path that is hidden. */
export function hiddenPath(path: VaultPath): ExpectedError {
  return new ExpectedError(
    "outside_vault",
    `${showPath(path)} is hidden by a .coffreignore file: it is not part of the vault.`,
  );
}

function wouldShow(from: VaultPath, to: VaultPath): ExpectedError {
  const [here, there] = [showPath(from, "folder"), showPath(to, "folder")];
  return new ExpectedError(
    "invalid_argument",
    `${here} holds something that a .coffreignore file hides, and ${there} would show it. Move its notes one by one.`,
  );
}

interface Named {
  readonly name: string;
}

/** A folder with the ignore files found in it. */
class KnownFolder {
  readonly place: string;
  readonly path: VaultPath;
  readonly below = new Map<string, KnownFolder>();
  rules: FolderRules;
  hiding: IgnoreFile | null = null;
  unlisting: IgnoreFile | null = null;
  /** When its ignore files were last checked for changes. */
  checked = Number.NEGATIVE_INFINITY;
  #above: FolderRules;

  constructor(place: string, path: VaultPath, above: FolderRules) {
    this.place = place;
    this.path = path;
    this.#above = above;
    this.rules = this.#rules();
  }

  /** Takes over what changed in its own ignore files or above it. */
  update(hasChanged: boolean, above = this.#above): void {
    if (!hasChanged && above === this.#above) return;
    this.#above = above;
    this.rules = this.#rules();
  }

  #rules(): FolderRules {
    const { path, hiding, unlisting } = this;
    const above = this.#above;
    const isExempt = above.unlisting === null || ALWAYS_LISTED.has(path);
    // What the person wants hidden stays hidden while nobody can tell what it is.
    const hidden = hiding === null ? null : (hiding.patterns ?? patternsFrom("*", path));
    return new FolderRules(
      path,
      extended(above.hiding, hidden),
      isExempt ? null : extended(above.unlisting, unlisting?.patterns ?? null),
    );
  }
}

function extended(above: Patterns | null, own: readonly string[] | null): Patterns | null {
  return own === null ? above : new Patterns([...(above?.lines ?? []), ...own]);
}

/**
 * The ignore files of a vault, read when they are first needed and whenever they changed. As in git, the last pattern that matches decides, a
 * folder's own file comes after those above it, and nothing below an ignored folder can be taken back.
 *
 * Paths are given as names on disk, because an ignore file lies in a folder of that name; patterns are matched with names as they are shown.
 */
export class IgnoreRules {
  readonly #root: KnownFolder;
  readonly #unreadable = new Set<KnownFolder>();
  #invalidated = Number.NEGATIVE_INFINITY;

  constructor(root: string) {
    this.#root = new KnownFolder(root, "", NO_FILES);
  }

  /** The verdict on a path. `unknown`: nothing is there yet, so patterns for files and for folders both count. */
  judge(names: readonly string[], kind: "file" | "folder" | "unknown"): Verdict {
    let verdict: Verdict = null;
    let folder = this.#refresh(this.#root, NO_FILES);
    for (const [at, name] of names.entries()) {
      const isLast = at === names.length - 1;
      const { rules } = folder;
      const isFolder = !isLast || kind !== "file";
      const asFile = isLast && kind === "unknown" ? rules.judge(name, false) : null;
      const found = asFile === "hidden" ? asFile : rules.judge(name, isFolder);
      if (found === "hidden") return found;
      verdict ??= found;
      if (!isLast) folder = this.#below(folder, name);
    }
    return verdict;
  }

  /**
   * @param real a folder of the vault, links followed
   * @param entries what is in it, when the caller has just listed it: that saves another look at the disk
   */
  inFolder(real: string, entries?: readonly Named[]): FolderRules {
    const names = namesUnder(this.#root.place, real) ?? [];
    const last = names.length;
    let folder = this.#refresh(this.#root, NO_FILES, last === 0 ? entries : undefined);
    for (const [at, name] of names.entries())
      folder = this.#below(folder, name, at === last - 1 ? entries : undefined);
    return folder.rules;
  }

  /** An ignore file at the root shows that the vault's disk is mounted, even when it hides everything. */
  get hasFileAtRoot(): boolean {
    const { hiding, unlisting } = this.#refresh(this.#root, NO_FILES);
    return hiding !== null || unlisting !== null;
  }

  /** Refuses to move a folder to a place where something in it would be shown that is hidden now. */
  refuseToShow({ kind, folder, name, path: from }: Entry, to: VaultPath): void {
    const { hiding } = this.inFolder(folder.real);
    if (kind !== "folder" || hiding === null) return;
    const there = this.inFolder(join(this.#root.place, parentOf(to))).hiding;
    const walk = (place: string, below: VaultPath): void => {
      const entries = readdirSync(place, { withFileTypes: true });
      const rules = this.inFolder(place, entries);
      for (const entry of entries) {
        if (entry.name.startsWith(".")) continue;
        const isFolder = entry.isDirectory();
        const inside = joinPath(below, nameKey(entry.name));
        if (rules.judge(entry.name, isFolder) !== "hidden") {
          if (isFolder) walk(`${place}/${entry.name}`, inside);
          continue;
        }
        // What an ignore file inside the folder hides, it hides in the new place too.
        if (!hiding.match(matched(from, inside, isFolder))) continue;
        if (there?.match(matched(to, inside, isFolder)) !== true) throw wouldShow(from, to);
      }
    };
    walk(`${folder.real}/${name}`, "");
  }

  /** Ignore files that cannot be read, for the person. */
  get problems(): string[] {
    const problems: string[] = [];
    for (const folder of this.#unreadable) {
      folder.update(this.#check(folder));
      const { hiding, unlisting } = folder;
      if (typeof hiding?.problem === "string")
        problems.push(`${hiding.problem} Everything in its folder is hidden until that is right.`);
      if (typeof unlisting?.problem === "string")
        problems.push(`${unlisting.problem} It has no effect until that is right.`);
    }
    return problems;
  }

  /** An ignore file may have changed: the next question checks them all. */
  invalidate(): void {
    this.#invalidated = performance.now();
  }

  #below(parent: KnownFolder, name: string, entries?: readonly Named[]): KnownFolder {
    const known = parent.below.get(name);
    if (known !== undefined) return this.#refresh(known, parent.rules, entries);
    const path = joinPath(parent.path, nameKey(name));
    const folder = new KnownFolder(`${parent.place}/${name}`, path, parent.rules);
    // What is missing or a link has no ignore file of its own, and is not remembered: callers can ask for any name.
    if (entries === undefined && !isFolderOnDisk(folder.place)) return folder;
    parent.below.set(name, folder);
    return this.#refresh(folder, parent.rules, entries);
  }

  #refresh(folder: KnownFolder, above: FolderRules, entries?: readonly Named[]): KnownFolder {
    const isFresh = folder.checked > Math.max(this.#invalidated, performance.now() - FRESH);
    const hasChanged = (entries !== undefined || !isFresh) && this.#check(folder, entries);
    folder.update(hasChanged, above);
    return folder;
  }

  /** Reads what changed of a folder's ignore files; whether anything did. */
  #check(folder: KnownFolder, entries?: readonly Named[]): boolean {
    const { place, path, hiding, unlisting } = folder;
    const read = (name: string, known: IgnoreFile | null): IgnoreFile | null =>
      entries === undefined || entries.some((entry) => entry.name === name)
        ? readIgnoreFile(place, path, name, known)
        : null;
    folder.checked = performance.now();
    folder.hiding = read(HIDING_FILE, hiding);
    folder.unlisting = read(UNLISTING_FILE, unlisting);
    if ([folder.hiding, folder.unlisting].some((file) => typeof file?.problem === "string"))
      this.#unreadable.add(folder);
    else this.#unreadable.delete(folder);
    return folder.hiding !== hiding || folder.unlisting !== unlisting;
  }
}

function isFolderOnDisk(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
}
