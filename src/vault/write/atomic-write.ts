import { closeSync, fstatSync, lstatSync, renameSync, rmSync, type BigIntStats } from "node:fs";

import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";
import type { Disk, FolderPlace, Located } from "../disk.ts";
import type { LateWrites } from "./late-writes.ts";
import { createTemporary, fsyncLater, renameNew, type OpenFolder } from "./open-folder.ts";
import { joinPath, nameKey, showPath, type VaultPath } from "../paths.ts";
import { signatureOf } from "../files/version.ts";

export function intoItself(path: VaultPath): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `${showPath(path, "folder")} cannot be moved into itself.`,
  );
}

export function otherDisk(from: VaultPath, to: VaultPath, cause: unknown): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `${showPath(from)} and ${showPath(to)} are on different disks; write a copy, then delete the original.`,
    { cause },
  );
}

export function alreadyExists(path: VaultPath): ExpectedError {
  return new ExpectedError(
    "already_exists",
    `${showPath(path)} already exists; nothing was changed. Choose another name, or delete it first.`,
  );
}

/** Thrown when a file changed after its new content was computed: compute it again. */
export class ChangedMeanwhile extends ExpectedError {
  /** @param shown what changed, as it is shown */
  constructor(shown: string) {
    super("conflict", `${shown} was changed by another program just now; read it again.`);
  }
}

/** Retries `work`, up to ten times, when another program changed the file meanwhile. */
export async function retryWhenChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === 10) throw error;
    }
  }
}

/** A new version of a file, about to be put in place. */
export interface AtomicWrite {
  readonly folder: FolderPlace;
  /** As it is on disk. */
  readonly name: string;
  /** The version it was worked out from; null for a new file. */
  readonly replaces: Located | null;
  /** All bytes of that version, where the caller has them: they need not be read again. */
  readonly replacedBytes?: Buffer;
  readonly fill: (fd: number) => Promise<void>;
  /**
   * What must survive a power cut when this resolves: `all`; or the `text`, while its name may still lead to the version before, which is
   * complete too.
   */
  readonly durable: "all" | "text";
  /** Called just before the rename. Returns what undoes it, for a file that changed since. */
  readonly record?: (stat: BigIntStats) => Promise<() => Promise<void>>;
}

/**
 * Fills a temporary file and renames it into place; when that fails, nothing is left of it. Throws {@link ChangedMeanwhile} when the file is
 * no longer the one it replaces.
 * @param late watches every file replaced, for what other programs still write to it
 */
export async function writeAtomically(
  disk: Disk,
  late: LateWrites,
  write: AtomicWrite,
): Promise<BigIntStats> {
  const folder = disk.openFolder(write.folder);
  try {
    const prepared = await PreparedWrite.make(folder, write);
    try {
      prepared.verify();
      const takeBack = await write.record?.(prepared.stat);
      try {
        prepared.putInPlace(late);
      } catch (error) {
        await takeBack?.();
        throw error;
      }
      if (write.durable === "all") folder.sync();
      return prepared.finish();
    } finally {
      prepared.discard();
    }
  } catch (error) {
    throw explainErrno(error, shownOf(write));
  } finally {
    folder.close();
  }
}

/** A new version of a file under a temporary name, until {@link putInPlace} renames it. */
export class PreparedWrite {
  readonly stat: BigIntStats;
  readonly #folder: OpenFolder;
  readonly #write: AtomicWrite;
  #temporary: string | null;
  #old: ReturnType<LateWrites["hold"]> = null;

  private constructor(
    folder: OpenFolder,
    write: AtomicWrite,
    made: { readonly name: string; readonly stat: BigIntStats },
  ) {
    this.#folder = folder;
    this.#write = write;
    this.#temporary = made.name;
    this.stat = made.stat;
  }

  /** Fills a temporary file, durable as `write` asks for. When that fails, nothing is left of it. */
  static async make(folder: OpenFolder, write: AtomicWrite): Promise<PreparedWrite> {
    const { fd, name } = createTemporary(folder, write.replaces?.stat ?? null);
    try {
      await write.fill(fd);
      await fsyncLater(fd);
      const stat = fstatSync(fd, { bigint: true });
      return new PreparedWrite(folder, write, { name, stat });
    } catch (error) {
      removeQuietly(folder.at(name));
      throw error;
    } finally {
      closeSync(fd);
    }
  }

  /** Throws {@link ChangedMeanwhile} when the file is no longer the one it replaces. By ctime too, which an edit moves that keeps size and time. */
  verify(): void {
    const { name, replaces } = this.#write;
    if (replaces === null) return;
    const now = lstatSync(this.#folder.at(name), { bigint: true, throwIfNoEntry: false });
    const { stat } = replaces;
    const isSame = now !== undefined && signatureOf(now) === signatureOf(stat);
    if (isSame && now.ctimeNs === stat.ctimeNs) return;
    throw new ChangedMeanwhile(shownOf(this.#write));
  }

  /** Renames it into place, or throws and leaves the file as it was. */
  putInPlace(late: LateWrites): void {
    const { name, replaces } = this.#write;
    const [temporary, place] = [this.#folder.at(this.#temporary ?? name), this.#folder.at(name)];
    const old = replaces === null ? null : late.hold(place, pathOf(this.#write));
    try {
      this.verify();
      if (replaces === null) renameNew(temporary, place);
      else renameSync(temporary, place);
    } catch (error) {
      old?.release();
      throw errnoOf(error) === "EEXIST" ? alreadyExists(pathOf(this.#write)) : error;
    }
    this.#temporary = null;
    this.#old = old;
  }

  /**
   * Begins to watch the file that was replaced. Returns the new one as it is under its name. The change is made by now: a disk that fails here
   * must not make it look refused.
   */
  finish(): BigIntStats {
    const { name, replaces, replacedBytes } = this.#write;
    try {
      if (replaces !== null) this.#old?.watch(replaces.stat, this.stat, replacedBytes);
      return landed(this.#folder.at(name), this.stat);
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return this.stat;
    }
  }

  /** Removes the temporary file, unless it is in place. */
  discard(): void {
    if (this.#temporary !== null) removeQuietly(this.#folder.at(this.#temporary));
    this.#temporary = null;
  }
}

function pathOf({ folder, name }: AtomicWrite): VaultPath {
  return joinPath(folder.path, nameKey(name));
}

function shownOf(write: AtomicWrite): string {
  return showPath(pathOf(write));
}

/** Our file under its name: the rename moved its ctime. Another program's, which may be there by now, is not ours. */
function landed(place: string, stat: BigIntStats): BigIntStats {
  const now = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  return now !== undefined && signatureOf(now) === signatureOf(stat) ? now : stat;
}

/** Removes a hidden file of ours after a failed write. */
function removeQuietly(place: string): void {
  try {
    rmSync(place);
  } catch {
    // It stays hidden and is swept later; the error that led here is the one to report.
  }
}
