import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  type BigIntStats,
} from "node:fs";
import path from "node:path";

import { errnoOf, ExpectedError, explainErrno } from "../errors.ts";
import { openToRead, readBytes } from "./files/bytes.ts";
import { HANDLES_ARE_PATHS, OpenFolder } from "./write/open-folder.ts";
import {
  joinPath,
  nameKey,
  nameOf,
  parentOf,
  refuseControls,
  showPath,
  type VaultPath,
} from "./paths.ts";
import { Stamps } from "./files/version.ts";

/** Where a vault path really is. `real` is absolute, links followed, and inside the root. */
export interface Located {
  readonly kind: "file" | "folder" | "other";
  readonly real: string;
  /** The path the links lead to, as a vault path: two names of one file have the same. */
  readonly path: VaultPath;
  readonly stat: BigIntStats;
}

/** What is needed to open a folder. */
export type FolderPlace = Pick<Located, "real" | "path">;

/** A name in a folder, with nothing followed. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly folder: Located;
  /** As it is on disk. */
  readonly name: string;
  readonly path: VaultPath;
  readonly stat: BigIntStats;
}

/** A path that does not exist: its deepest existing folder, and the names missing below it. */
export interface Missing {
  readonly kind: "missing";
  readonly folder: Located;
  readonly names: readonly string[];
}

const RACES = 20;

function kindOf(stat: BigIntStats): "file" | "folder" | "other" {
  return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other";
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/**
 * The only access to the vault's files. A path goes in as a {@link VaultPath}; what comes out was verified to be inside the
 * root *after* it was opened, so a link planted between check and use has no effect.
 */
export class Disk {
  readonly root: string;
  readonly stamps = new Stamps();

  /** @param root an existing folder; it may itself be reached through a link. */
  constructor(root: string) {
    try {
      this.root = realpathSync.native(root);
    } catch (error) {
      throw explainErrno(error, `The vault folder ${root}`);
    }
    if (!lstatSync(this.root).isDirectory()) {
      throw new ExpectedError("not_a_folder", `The vault ${root} is a file, not a folder.`);
    }
  }

  /** Finds what `vaultPath` names, in either Unicode form, following links that stay inside. */
  find(vaultPath: VaultPath): Located | Missing {
    const direct = path.join(this.root, ...vaultPath.split("/"));
    try {
      return this.#locate(realpathSync.native(direct), vaultPath);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== "ENOENT" && errno !== "ENOTDIR") throw explainErrno(error, showPath(vaultPath));
    }
    return this.#findByNames(vaultPath);
  }

  /**
   * What a path names without following a last link: for moving and removing, which act on the link itself.
   * A link that leads out of the vault, or nowhere, is refused all the same.
   */
  entry(vaultPath: VaultPath): Entry {
    this.get(vaultPath);
    const entry = this.lookup(vaultPath);
    if (entry === null) {
      throw new ExpectedError("not_found", `${showPath(vaultPath)} does not exist.`);
    }
    return entry;
  }

  /** Like {@link entry}, but a link is taken as it is, wherever it leads; null when nothing has that name. */
  lookup(vaultPath: VaultPath): Entry | null {
    const folder = this.find(parentOf(vaultPath));
    if (folder.kind !== "folder") return null;
    const name = this.#nameOnDisk(folder.real, nameOf(vaultPath));
    if (name === null) return null;
    let stat: BigIntStats;
    try {
      stat = lstatSync(path.join(folder.real, name), { bigint: true });
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return null;
      throw explainErrno(error, showPath(vaultPath));
    }
    const kind = stat.isSymbolicLink() ? "link" : kindOf(stat);
    return { kind, folder, name, stat, path: joinPath(folder.path, nameKey(name)) };
  }

  #locate(real: string, vaultPath: VaultPath): Located {
    const inside = this.#inside(real);
    if (inside === null) {
      throw new ExpectedError(
        "outside_vault",
        `${showPath(vaultPath)} is a link that leaves the vault; it is not followed.`,
      );
    }
    const stat = lstatSync(real, { bigint: true });
    return { kind: kindOf(stat), real, path: inside, stat };
  }

  /** True when a real path is inside the vault and not hidden. */
  contains(real: string): boolean {
    return this.#inside(real) !== null;
  }

  /** The vault path of a real path, or null when it is outside or hidden. */
  #inside(real: string): VaultPath | null {
    if (real === this.root) return "";
    const start = this.root.endsWith(path.sep) ? this.root : this.root + path.sep;
    if (!real.startsWith(start)) return null;
    const names = real.slice(start.length).split(path.sep);
    return names.some((name) => name.startsWith(".")) ? null : names.map(nameKey).join("/");
  }

  /** Name by name, for names that differ on disk in Unicode form or hold control characters. */
  #findByNames(vaultPath: VaultPath): Located | Missing {
    let folder: Located;
    try {
      folder = this.#locate(this.root, "");
    } catch (error) {
      throw new ExpectedError(
        "unavailable",
        `The vault folder ${this.root} is gone or cannot be read.`,
        {
          cause: error,
        },
      );
    }
    const names = vaultPath === "" ? [] : vaultPath.split("/");
    for (const [at, name] of names.entries()) {
      if (folder.kind !== "folder") {
        throw new ExpectedError(
          "not_a_folder",
          `${showPath(folder.path)} is a file, so nothing can be under it.`,
        );
      }
      const onDisk = this.#nameOnDisk(folder.real, name);
      if (onDisk === null) return { kind: "missing", folder, names: names.slice(at) };
      try {
        folder = this.#locate(realpathSync.native(path.join(folder.real, onDisk)), vaultPath);
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw explainErrno(error, showPath(vaultPath));
        const shown = showPath(joinPath(folder.path, name));
        throw new ExpectedError("not_found", `${shown} is a link whose target is missing.`, {
          cause: error,
        });
      }
    }
    return folder;
  }

  /** Which of the names on disk a shown name means: the same one, else the first that is shown so. */
  #nameOnDisk(folder: string, name: string): string | null {
    let names: string[];
    try {
      names = readdirSync(folder);
    } catch (error) {
      throw explainErrno(error, showPath(this.#inside(folder) ?? "", "folder"));
    }
    if (names.includes(name)) return name;
    return names.find((candidate) => nameKey(candidate) === name) ?? null;
  }

  /** Like {@link find}, for a path that must be there. */
  get(vaultPath: VaultPath): Located {
    const found = this.find(vaultPath);
    if (found.kind === "missing") {
      throw new ExpectedError("not_found", `${showPath(vaultPath)} does not exist.`);
    }
    return found;
  }

  /**
   * Opens a file for reading and proves that what was opened is what the path names inside the vault.
   * The caller closes the descriptor.
   */
  open(vaultPath: VaultPath): { fd: number; located: Located } {
    for (let attempt = 0; ; attempt += 1) {
      const located = this.get(vaultPath);
      if (located.kind === "folder") {
        throw new ExpectedError("not_a_file", `${showPath(vaultPath)} is a folder, not a file.`);
      }
      if (located.kind === "other") {
        throw new ExpectedError(
          "not_text",
          `${showPath(vaultPath)} is a device, pipe or socket, not a file.`,
        );
      }
      const fd = this.#tryOpen(located, vaultPath);
      if (fd !== null) {
        const stat = fstatSync(fd, { bigint: true });
        return { fd, located: { ...located, stat } };
      }
      if (attempt === RACES) {
        throw new ExpectedError("busy", `${showPath(vaultPath)} keeps changing; try again.`);
      }
    }
  }

  /** Runs `use` on a file opened by {@link open}, and closes it. */
  read<T>(vaultPath: VaultPath, use: (fd: number, located: Located) => T): T {
    const { fd, located } = this.open(vaultPath);
    try {
      return use(fd, located);
    } finally {
      closeSync(fd);
    }
  }

  /** All bytes of a file. */
  readWhole(vaultPath: VaultPath): { readonly located: Located; readonly bytes: Buffer } {
    return this.read(vaultPath, (fd, located) => ({
      located,
      bytes: readBytes(fd, 0, Number(located.stat.size)),
    }));
  }

  /** Null when the path was replaced meanwhile: by another writer's rename, or by a planted link. */
  #tryOpen(located: Located, vaultPath: VaultPath): number | null {
    let fd: number;
    try {
      fd = openToRead(located.real);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === "ENOENT" || errno === "ELOOP" || errno === "ENOTDIR") return null;
      throw explainErrno(error, showPath(vaultPath));
    }
    try {
      if (this.#isInside(fd, located.real)) return fd;
    } catch (error) {
      closeSync(fd);
      if (errnoOf(error) === "ENOENT") return null;
      throw explainErrno(error, showPath(vaultPath));
    }
    closeSync(fd);
    return null;
  }

  /** Whether an open file is one of the vault's: asked of the open file itself, which no swap of names can change. */
  #isInside(fd: number, real: string): boolean {
    const opened = fstatSync(fd, { bigint: true });
    if (!opened.isFile()) return false;
    if (HANDLES_ARE_PATHS) {
      // A file replaced meanwhile is called "… (deleted)", which is not the name it was opened by.
      return readlinkSync(`/proc/self/fd/${fd}`) === real;
    }
    const again = realpathSync.native(real);
    return again === real && isSame(opened, lstatSync(again, { bigint: true }));
  }

  /**
   * Opens a folder and proves that it is inside the vault. Everything that lists, creates, renames or removes goes through
   * here. The caller closes it.
   */
  openFolder(located: FolderPlace): OpenFolder {
    const shown = showPath(located.path, "folder");
    let folder: OpenFolder;
    try {
      folder = new OpenFolder(located.real);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== "ELOOP" && errno !== "ENOTDIR") throw explainErrno(error, shown);
      throw new ExpectedError("outside_vault", `${shown} was replaced by a link or a file.`, {
        cause: error,
      });
    }
    try {
      if (this.#inside(realpathSync.native(folder.base)) !== null) return folder;
    } catch (error) {
      folder.close();
      throw explainErrno(error, shown);
    }
    folder.close();
    throw new ExpectedError(
      "outside_vault",
      `${shown} was replaced by a link that leaves the vault.`,
    );
  }

  /** Runs `use` in an open folder. */
  inFolder<T>(located: FolderPlace, use: (base: string) => T): T {
    const folder = this.openFolder(located);
    try {
      return use(folder.base);
    } catch (error) {
      throw explainErrno(error, showPath(located.path, "folder"));
    } finally {
      folder.close();
    }
  }

  /**
   * Makes the missing folders of a path, or none of them. Returns the folder that will hold it, and the folders made,
   * outermost first.
   */
  makeParents(vaultPath: VaultPath): { folder: Located; made: VaultPath[] } {
    const made: VaultPath[] = [];
    try {
      return { folder: this.#makeFolders(parentOf(vaultPath), made), made };
    } catch (error) {
      this.removeEmptyFolders(made);
      throw error;
    }
  }

  #makeFolders(vaultPath: VaultPath, made: VaultPath[]): Located {
    for (let attempt = 0; ;) {
      const found = this.find(vaultPath);
      if (found.kind === "folder") return found;
      if (found.kind !== "missing") {
        throw new ExpectedError("not_a_folder", `${showPath(vaultPath)} is a file, not a folder.`);
      }
      const name = found.names[0] ?? "";
      refuseControls(joinPath(found.folder.path, name));
      this.inFolder(found.folder, (base) => {
        try {
          mkdirSync(`${base}/${name}`);
          made.push(joinPath(found.folder.path, name));
        } catch (error) {
          // Another program made it first, which is as good; the limit ends an endless race.
          attempt += 1;
          if (errnoOf(error) !== "EEXIST" || attempt > RACES) throw error;
        }
      });
    }
  }

  /** Removes the given folders that are empty, innermost first; used to leave no trace of a failed write. */
  removeEmptyFolders(folders: readonly VaultPath[]): void {
    for (const folder of folders.toReversed()) {
      try {
        const entry = this.lookup(folder);
        if (entry?.kind === "folder") {
          this.inFolder(entry.folder, (base) => rmdirSync(`${base}/${entry.name}`));
        }
      } catch (error) {
        // Not empty, or not ours: it stays, and so do the ones around it.
        if (error instanceof Error) return;
        throw error;
      }
    }
  }
}

/** The folder of a located file, and the file's name in it on disk. */
export function placeOf({ real, path: vaultPath }: Located): { folder: FolderPlace; name: string } {
  return {
    folder: { real: path.dirname(real), path: parentOf(vaultPath) },
    name: path.basename(real),
  };
}
