import { closeSync, fstatSync, fsync, lstatSync, renameSync, type BigIntStats } from "node:fs";
import { promisify } from "node:util";

import { ChangedMeanwhile } from "./changed-meanwhile.ts";
import type { Disk, FolderPlace, Located } from "../disk.ts";
import { errnoOf, explainErrno } from "../../errors.ts";
import type { LateWrites } from "./late-writes.ts";
import { createTemporary, renameNew, type OpenFolder } from "./open-folder.ts";
import { joinPath, nameKey, showPath } from "../paths.ts";
import { alreadyExists } from "./writer-errors.ts";
import { removeTree } from "../history/removed-tree.ts";
import { signatureOf } from "../files/version.ts";

const fsyncLater = promisify(fsync);

/** A new version of a file, about to be put in place. */
export interface Landing {
  readonly folder: FolderPlace;
  /** As it is on disk. */
  readonly name: string;
  /** The version it was worked out from; null for a new file. */
  readonly replaces: Located | null;
  /** All bytes of that version, where the caller has them: they need not be read again. */
  readonly replacedBytes?: Buffer;
  readonly fill: (fd: number) => Promise<void>;
  /**
   * What must survive a power cut the moment it is done: `all`; the `text`, while its name may still lead to the version before,
   * which is complete too; or `nothing`, for what can be made again.
   */
  readonly durable: "all" | "text" | "nothing";
  /** Runs last, when all is ready. Returns how to take it back, should the file change in that very moment. */
  readonly record?: (stat: BigIntStats) => () => void;
}

/**
 * Fills a temporary file and puts it in place at once; or leaves no trace. Throws {@link ChangedMeanwhile} when the file is no longer
 * the one it replaces.
 * @param late hears of every file replaced, for what is still written to the old one
 */
export async function land(disk: Disk, late: LateWrites, landing: Landing): Promise<BigIntStats> {
  const path = joinPath(landing.folder.path, nameKey(landing.name));
  const folder = disk.openFolder(landing.folder);
  let temporary: string | null = null;
  try {
    const { fd, name } = createTemporary(folder, landing.replaces?.stat ?? null);
    temporary = name;
    let stat: BigIntStats;
    try {
      await landing.fill(fd);
      if (landing.durable !== "nothing") await fsyncLater(fd);
      stat = fstatSync(fd, { bigint: true });
    } finally {
      closeSync(fd);
    }
    verify(folder, landing);
    const takeBack = landing.record?.(stat);
    const old = landing.replaces === null ? null : late.hold(folder.at(landing.name), path);
    try {
      verify(folder, landing);
      if (landing.replaces === null) renameNew(folder.at(name), folder.at(landing.name));
      else renameSync(folder.at(name), folder.at(landing.name));
    } catch (error) {
      old?.release();
      takeBack?.();
      throw errnoOf(error) === "EEXIST" ? alreadyExists(path) : error;
    }
    temporary = null;
    if (landing.durable === "all") folder.sync();
    if (landing.replaces !== null) old?.watch(landing.replaces.stat, stat, landing.replacedBytes);
    return stat;
  } catch (error) {
    throw explainErrno(error, showPath(path));
  } finally {
    if (temporary !== null) removeQuietly(folder, temporary);
    folder.close();
  }
}

function verify(folder: OpenFolder, { name, replaces, folder: { path } }: Landing): void {
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

/** Removes a hidden file or folder of ours. It bothers nobody if it stays, and the error that led here matters more. */
export function removeQuietly(folder: OpenFolder, name: string): void {
  try {
    removeTree(folder, name);
  } catch {
    // See above.
  }
}
