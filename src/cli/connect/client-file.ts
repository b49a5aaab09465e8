import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import path from "node:path";

import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";

/** A client's file as it was found. */
export interface FoundFile {
  readonly bytes: Uint8Array;
  /** The file itself, where a link leads to it. */
  readonly target: string;
  readonly stat: Stats;
}

/** Null when there is none. */
export function findClientFile(file: string): FoundFile | null {
  try {
    const target = realpathSync(file);
    return { target, stat: statSync(target), bytes: readFileSync(target) };
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw explainErrno(error, file);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    throw new ExpectedError("not_found", `${file} is a link to a file that does not exist.`);
  }
}

/**
 * Puts a text in the place of a client's file, at once, with the old one kept beside it. Links stay links, and permissions stay.
 * @param found the file that the text was worked out from
 * @returns the path of the old one; null where there was no file
 */
export function writeClientFile(
  file: string,
  found: FoundFile | null,
  text: string,
): string | null {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    // A file that its owner made read-only is not to be changed, though the folder would allow it.
    if (found !== null) closeSync(openSync(found.target, "r+"));
    const target = found?.target ?? file;
    const temporary = `${target}.coffre-${randomBytes(6).toString("hex")}.tmp`;
    try {
      writeNew(temporary, found?.stat ?? null, text);
      refuseChanged(file, found);
      const backup = found === null ? null : keepBackup(file, found);
      renameSync(temporary, target);
      return backup;
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw explainErrno(error, file);
  }
}

function writeNew(file: string, stat: Stats | null, text: string): void {
  // Clients keep keys in these files: nobody else's to read, unless their owner said so.
  const fd = openSync(file, "wx", 0o600);
  try {
    writeFileSync(fd, text);
    if (stat !== null) {
      if (process.geteuid?.() === 0) fchownSync(fd, stat.uid, stat.gid);
      fchmodSync(fd, stat.mode);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Clients write these files too, and often. */
function refuseChanged(file: string, found: FoundFile | null): void {
  const now = findClientFile(file);
  const isSame =
    now === null || found === null
      ? now === found
      : now.target === found.target && Buffer.compare(now.bytes, found.bytes) === 0;
  if (isSame) return;
  throw new ExpectedError("busy", `Another program just changed ${file}. Run this again.`);
}

/** Under a name that is free, for an older one may be the only copy of what the person wrote. */
function keepBackup(file: string, { target, bytes }: FoundFile): string {
  for (let count = 1; ; count += 1) {
    const backup = `${file}.coffre-backup${count === 1 ? "" : `-${count}`}`;
    try {
      copyFileSync(target, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
      if (Buffer.compare(readFileSync(backup), bytes) === 0) return backup;
    }
  }
}
