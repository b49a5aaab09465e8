import ignore, { type Ignore } from "ignore";

import { matched } from "./ignore-file.ts";
import { DROP_FOLDER, type VaultPath } from "./paths.ts";

/**
 * `hidden`: by a `.coffreignore`, it does not exist for anybody. `unlisted`: by a `.gitignore` or the name of its folder, it is in no list
 * and no index, and can be read by its name.
 */
export type Verdict = "hidden" | "unlisted" | null;

/** Folders that programs fill. Names that a person could give to a folder of notes (target, build, vendor) are not among them. */
const FILLED_BY_PROGRAMS = new Set([
  "node_modules",
  "bower_components",
  "__pycache__",
  "__MACOSX",
  "venv",
  "$RECYCLE.BIN",
  "System Volume Information",
]);

/** Where our own tools file things: no `.gitignore` keeps them out of lists. */
export const ALWAYS_LISTED: ReadonlySet<string> = new Set([
  "inbox",
  "bucket",
  "projects",
  DROP_FOLDER,
]);

/** Tests after which a matcher is built again: it remembers every path it was asked about. */
const MOST_REMEMBERED = 100_000;

/** The patterns of ignore files, from the root of the vault. */
export class Patterns {
  readonly lines: readonly string[];
  #matcher: Ignore | null = null;
  #tests = 0;

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  match(path: string): boolean {
    this.#tests += 1;
    if (this.#matcher === null || this.#tests > MOST_REMEMBERED) {
      this.#tests = 0;
      // As git does on each system.
      const ignorecase = ["darwin", "win32"].includes(process.platform);
      this.#matcher = ignore({ ignorecase, allowRelativePaths: true }).add(this.lines);
    }
    return this.#matcher.ignores(path);
  }
}

/** A person's `.gitignore` can take one of these names back: `!venv/`. */
const BY_NAME = new Patterns([...FILLED_BY_PROGRAMS].map((name) => `${name}/`));

/** What holds for the names directly in one folder. The same object as long as no ignore file that applies there changed. */
export class FolderRules {
  readonly path: VaultPath;
  readonly hiding: Patterns | null;
  /** Null where no `.gitignore` applies. */
  readonly unlisting: Patterns | null;

  constructor(path: VaultPath, hiding: Patterns | null, unlisting: Patterns | null) {
    this.path = path;
    this.hiding = hiding;
    this.unlisting = unlisting;
  }

  /** @param name as it is on disk, or as it is shown; a link is no folder */
  judge(name: string, isFolder: boolean): Verdict {
    const { hiding, unlisting } = this;
    const isByName = unlisting === BY_NAME;
    if (hiding === null && isByName)
      return isFolder && FILLED_BY_PROGRAMS.has(name) ? "unlisted" : null;
    const path = matched(this.path, name, isFolder);
    if (hiding?.match(path) === true) return "hidden";
    if (unlisting === null || (this.path === "" && isAlwaysListed(name, isFolder))) return null;
    return unlisting.match(path) ? "unlisted" : null;
  }
}

function isAlwaysListed(name: string, isFolder: boolean): boolean {
  return !isFolder || ALWAYS_LISTED.has(name);
}

/** At the root of a vault without ignore files. */
export const NO_FILES = new FolderRules("", null, BY_NAME);
