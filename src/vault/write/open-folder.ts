import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  unlinkSync,
  type BigIntStats,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { errnoOf } from "../../errors.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export const fsyncLater = promisify(fsync);

/** Linux accepts paths through an open file or folder (`/proc/self/fd/N`), and reports the real path of an open file. */
export const HANDLES_ARE_PATHS = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * A folder held open: paths under `base` stay in that folder even when the path leading to it is replaced. Only on Linux, through `/proc`;
 * elsewhere `base` is the folder's own path.
 */
export class OpenFolder {
  readonly base: string;
  readonly #fd: number | null;

  /** Throws the system's error; a link is not followed. */
  constructor(folder: string) {
    this.#fd = HANDLES_ARE_PATHS ? openSync(folder, FOLDER) : null;
    this.base = this.#fd === null ? folder : `/proc/self/fd/${this.#fd}`;
  }

  at(name: string): string {
    return `${this.base}/${name}`;
  }

  /**
   * Makes the names of the folder durable, where the system can. Never throws: the change is there and in the history by then, and a caller
   * who is told that it failed makes it a second time. A power cut may bring the version before back, which is complete too.
   */
  sync(): void {
    if (this.#fd === null) return;
    try {
      fsyncSync(this.#fd);
    } catch {
      // The disk reports its error again at the next write.
    }
  }

  /** {@link sync}, without blocking this thread. */
  async syncLater(): Promise<void> {
    if (this.#fd !== null) await fsyncLater(this.#fd).catch(() => {});
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }
}

/** Whether an open file is the one at `real`: asked of the open file itself, which no swap of names can change. */
export function isOpenedAt(fd: number, real: string): boolean {
  const opened = fstatSync(fd, { bigint: true });
  if (!opened.isFile()) return false;
  // A file replaced meanwhile is called "… (deleted)", which is not the name it was opened by.
  if (HANDLES_ARE_PATHS) return readlinkSync(`/proc/self/fd/${fd}`) === real;
  const again = realpathSync.native(real);
  const { dev, ino } = lstatSync(again, { bigint: true });
  return again === real && opened.ino === ino && opened.dev === dev;
}

/** Our unfinished files and folders. Being hidden, they are in no listing, index or watcher. */
export const TEMPORARY_PREFIX = ".coffre-tmp-";

export function temporaryName(): string {
  return TEMPORARY_PREFIX + randomBytes(8).toString("hex");
}

/** A new file in a folder that nothing shows yet, with the mode and, where the system lets us, the owner of `like`. */
export function createTemporary(
  folder: OpenFolder,
  like: BigIntStats | null,
): { fd: number; name: string } {
  const name = temporaryName();
  const fd = openSync(folder.at(name), CREATE, 0o666);
  try {
    if (like !== null) {
      keepOwner(like, (uid, gid) => fchownSync(fd, uid, gid));
      fchmodSync(fd, Number(like.mode & 0o7777n));
    }
  } catch (error) {
    closeSync(fd);
    unlinkSync(folder.at(name));
    throw error;
  }
  return { fd, name };
}

/** Gives a file an owner and group, or the group alone, or neither: only a privileged user may, and the content matters more. */
export function keepOwner(
  { uid, gid }: { readonly uid: number | bigint; readonly gid: number | bigint },
  give: (uid: number, gid: number) => void,
): void {
  // -1 leaves the owner as it is.
  for (const owner of [Number(uid), -1]) {
    try {
      give(owner, Number(gid));
      return;
    } catch (error) {
      if (errnoOf(error) !== "EPERM") throw error;
    }
  }
}

/** Renames a file, link or folder and never replaces what is there: throws `EEXIST`. */
export function renameNew(from: string, to: string, kind = "file"): void {
  if (kind === "folder") {
    renameUnlessThere(from, to);
    return;
  }
  try {
    linkSync(from, to);
  } catch (error) {
    // Some disks (exFAT, some network shares) have no hard links.
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) throw error;
    renameUnlessThere(from, to);
    return;
  }
  try {
    unlinkSync(from);
  } catch (error) {
    // The folder lets names be added but not this one removed: then the file keeps its old name only.
    if (isRemoved(to)) throw error;
    if (!path.basename(from).startsWith(TEMPORARY_PREFIX)) throw new HalfRenamed(error);
  }
}

/** A failing disk let a file have its new name, and lets neither name be removed: both lead to it. The cause is the disk's error. */
export class HalfRenamed extends Error {
  constructor(cause: unknown) {
    super("both names lead to the file", { cause });
    this.name = "HalfRenamed";
  }
}

/** False when a failing disk keeps the name: then a file that was to be created is there, and its temporary name is swept later. */
function isRemoved(place: string): boolean {
  try {
    unlinkSync(place);
    return true;
  } catch {
    return false;
  }
}

/** Not atomic: another program may take the name between the check and the rename. */
function renameUnlessThere(from: string, to: string): void {
  // Also true of a link that leads nowhere.
  const isThere = lstatSync(to, { throwIfNoEntry: false }) !== undefined;
  if (isThere) throw Object.assign(new Error("file exists"), { code: "EEXIST" });
  renameSync(from, to);
}
