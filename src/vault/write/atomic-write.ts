import { closeSync, fstatSync, fsync, lstatSync, renameSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";

import { ChangedMeanwhile, alreadyExists } from "./writer-errors.ts";
import type { Disk, FolderPlace, Located } from "../disk.ts";
import { errnoOf, explainErrno } from "../../errors.ts";
import type { LateWrites } from "./late-writes.ts";
import { createTemporary, renameNew, type OpenFolder } from "./open-folder.ts";
import { joinPath, nameKey, showPath } from "../paths.ts";
import { removeTree } from "../history/removed-tree.ts";
import { signatureOf } from "../files/version.ts";

const fsyncLater = promisify(fsync);

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
   * What must survive a power cut when this resolves: `all`; the `text`, while its name may still lead to the version before, which is
   * complete too; or `nothing`, for what can be generated again.
   */
  readonly durable: "all" | "text" | "nothing";
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
  const path = joinPath(write.folder.path, nameKey(write.name));
  const folder = disk.openFolder(write.folder);
  let temporary: string | null = null;
  try {
    const { fd, name } = createTemporary(folder, write.replaces?.stat ?? null);
    temporary = name;
    let stat: BigIntStats;
    try {
      await write.fill(fd);
      if (write.durable !== "nothing") await fsyncLater(fd);
      stat = fstatSync(fd, { bigint: true });
    } finally {
      closeSync(fd);
    }
    verify(folder, write);
    const takeBack = await write.record?.(stat);
    const old = write.replaces === null ? null : late.hold(folder.at(write.name), path);
    try {
      verify(folder, write);
      if (write.replaces === null) renameNew(folder.at(name), folder.at(write.name));
      else renameSync(folder.at(name), folder.at(write.name));
    } catch (error) {
      old?.release();
      await takeBack?.();
      throw errnoOf(error) === "EEXIST" ? alreadyExists(path) : error;
    }
    temporary = null;
    if (write.durable === "all") folder.sync();
    if (write.replaces !== null) old?.watch(write.replaces.stat, stat, write.replacedBytes);
    return stat;
  } catch (error) {
    throw explainErrno(error, showPath(path));
  } finally {
    if (temporary !== null) await removeQuietly(folder, temporary);
    folder.close();
  }
}

function verify(folder: OpenFolder, { name, replaces, folder: { path } }: AtomicWrite): void {
  if (replaces === null) return;
  const shown = showPath(joinPath(path, nameKey(name)));
  let now: BigIntStats;
  try {
    now = lstatSync(folder.at(name), { bigint: true });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") throw new ChangedMeanwhile(shown);
    throw error;
  }
  if (signatureOf(now) !== signatureOf(replaces.stat)) throw new ChangedMeanwhile(shown);
}

/** Removes a hidden file or folder of ours after a failed write. */
export async function removeQuietly(folder: OpenFolder, name: string): Promise<void> {
  // What cannot be removed stays hidden and is swept later; the error that led here is the one to report.
  await removeTree(folder, name).catch(() => {});
}
