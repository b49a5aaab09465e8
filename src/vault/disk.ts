import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmdirSync,
  type BigIntStats,
} from "node:fs";
import path from "node:path";

import { errnoOf, ExpectedError, explainErrno } from "../errors.ts";
import { openToRead, readBytes } from "./files/bytes.ts";
import { FolderNames } from "./folder-names.ts";
import { isOpenedAt, OpenFolder } from "./write/open-folder.ts";
import { hiddenPath, IgnoreRules } from "./ignore-rules.ts";
import { notFound } from "./missing-path.ts";
import {
  joinPath,
  nameKey,
  nameOf,
  namesUnder,
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
  /** False when an ignore file keeps it out of lists and index: see `IgnoreRules`. */
  readonly isListed: boolean;
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

export function goneVault(root: string, cause?: unknown): ExpectedError {
  const text = `The vault folder ${root} is gone or cannot be read.`;
  return new ExpectedError("unavailable", text, { cause });
}

function kindOf(stat: BigIntStats): "file" | "folder" | "other" {
  return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other";
}

/**
 * The only access to the vault's files. A path goes in as a {@link VaultPath}; what comes out was verified to be inside the
 * root *after* it was opened, so a link planted between check and use has no effect.
 */
export class Disk {
  readonly root: string;
  readonly stamps = new Stamps();
  readonly #names = new FolderNames();
  readonly ignore: IgnoreRules;

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
    this.ignore = new IgnoreRules(this.root);
  }

  /** Finds what `vaultPath` names, in either Unicode form, following links that stay inside. What is hidden is refused, there or not. */
  find(vaultPath: VaultPath): Located | Missing {
    const found = this.#findReal(vaultPath);
    if (found.kind !== "missing" && found.path === vaultPath) return found;
    if (found.kind === "missing") {
      const above = namesUnder(this.root, found.folder.real) ?? [];
      this.#judge([...above, ...found.names], "unknown", vaultPath);
    }
    // The name of a link can be ignored, whatever it leads to.
    const isListed = this.#judge(vaultPath.split("/"), "unknown", vaultPath);
    return found.kind === "missing" || isListed ? found : { ...found, isListed };
  }

  #findReal(vaultPath: VaultPath): Located | Missing {
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
    if (entry === null) throw notFound(vaultPath);
    return entry;
  }

  /** Like {@link entry}, but a link is taken as it is, wherever it leads; null when nothing has that name. */
  lookup(vaultPath: VaultPath): Entry | null {
    // The root is in no folder of the vault.
    if (vaultPath === "") return null;
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
    const names = [...(namesUnder(this.root, folder.real) ?? []), name];
    this.#judge(names, kind === "folder" ? kind : "file", vaultPath);
    return { kind, folder, name, stat, path: joinPath(folder.path, nameKey(name)) };
  }

  #locate(real: string, vaultPath: VaultPath): Located {
    const names = namesUnder(this.root, real);
    if (names === null) {
      throw new ExpectedError(
        "outside_vault",
        `${showPath(vaultPath)} is a link that leaves the vault; it is not followed.`,
      );
    }
    const stat = lstatSync(real, { bigint: true });
    const kind = kindOf(stat);
    const isListed = this.#judge(names, kind === "folder" ? kind : "file", vaultPath);
    return { kind, real, path: names.map(nameKey).join("/"), stat, isListed };
  }

  /** Refuses what is hidden; whether a list shows the rest. */
  #judge(names: readonly string[], kind: "file" | "folder" | "unknown", asked: VaultPath): boolean {
    const verdict = this.ignore.judge(names, kind);
    if (verdict === "hidden") throw hiddenPath(asked);
    return verdict === null;
  }

  /** True when the real path of a file or folder is inside the vault and not hidden. */
  contains(real: string, kind: "file" | "folder"): boolean {
    const names = namesUnder(this.root, real);
    return names !== null && this.ignore.judge(names, kind) !== "hidden";
  }

  /** Name by name, for names that differ on disk in Unicode form or hold control characters. */
  #findByNames(vaultPath: VaultPath): Located | Missing {
    let folder: Located;
    try {
      folder = this.#locate(this.root, "");
    } catch (error) {
      throw goneVault(this.root, error);
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

  #nameOnDisk(folder: string, name: string): string | null {
    try {
      return this.#names.find(folder, name);
    } catch (error) {
      throw explainErrno(error, showPath(namesUnder(this.root, folder)?.join("/") ?? "", "folder"));
    }
  }

  /** Like {@link find}, for a path that must be there. */
  get(vaultPath: VaultPath): Located {
    const found = this.find(vaultPath);
    if (found.kind === "missing") throw notFound(vaultPath);
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
      const opened = this.#tryOpen(located, vaultPath);
      if (opened !== null) return { fd: opened.fd, located: { ...located, stat: opened.stat } };
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
    } catch (error) {
      throw explainErrno(error, showPath(vaultPath));
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
  #tryOpen(located: Located, vaultPath: VaultPath): { fd: number; stat: BigIntStats } | null {
    let fd: number | null = null;
    let isProven = false;
    try {
      fd = openToRead(located.real);
      const stat = fstatSync(fd, { bigint: true });
      isProven = isOpenedAt(fd, located.real);
      return isProven ? { fd, stat } : null;
    } catch (error) {
      if (["ENOENT", "ELOOP", "ENOTDIR"].includes(errnoOf(error) ?? "")) return null;
      throw explainErrno(error, showPath(vaultPath));
    } finally {
      if (fd !== null && !isProven) closeSync(fd);
    }
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
      if (this.contains(realpathSync.native(folder.base), "folder")) return folder;
    } catch (error) {
      folder.close();
      throw explainErrno(error, shown);
    }
    folder.close();
    throw new ExpectedError(
      "outside_vault",
      `${shown} is hidden now, or was replaced by a link that leaves the vault.`,
    );
  }

  /** Runs `use` in an open folder. */
  inFolder<T>(located: FolderPlace, use: (base: string, folder: OpenFolder) => T): T {
    const folder = this.openFolder(located);
    try {
      return use(folder.base, folder);
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
      this.inFolder(found.folder, (base, folder) => {
        try {
          mkdirSync(`${base}/${name}`);
          // A file in it survives a power cut only if the folder does.
          folder.sync();
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

/** The result of `look`; null when it throws an expected error, as for a folder that may not be read. */
export function readable<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}

/** The folder of a located file, and the file's name in it on disk. */
export function placeOf({ real, path: vaultPath }: Located): { folder: FolderPlace; name: string } {
  return {
    folder: { real: path.dirname(real), path: parentOf(vaultPath) },
    name: path.basename(real),
  };
}
