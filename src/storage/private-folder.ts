import { chmodSync, mkdirSync, readdirSync, statSync, type Stats } from "node:fs";

import { ExpectedError } from "../errors.ts";

/** What others of this machine may do: the bits that nothing in a state folder has. */
const OTHERS = 0o077;
/** On a folder that all users share, such as `/tmp`. */
const STICKY = 0o1000;

/** Thrown for a folder that belongs to another user. */
export class OtherUsersFolder extends ExpectedError {}

/**
 * Creates a folder for this user alone, or takes from others what they may do in one that exists. A folder that holds other things than our
 * databases stays as it is: it was named by mistake, and is not ours to close.
 * @throws ExpectedError `no_permission` when it belongs to another user, who could replace what is in it
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.geteuid === undefined) return;
  const stat = statSync(folder);
  if (stat.uid !== process.geteuid()) {
    throw new OtherUsersFolder(
      "no_permission",
      `The state folder ${folder} belongs to another user (uid ${stat.uid}, this is ${process.geteuid()}), who could read and replace what is kept there. Run coffre as that user, give the folder to this one with chown, or choose another with --state.`,
    );
  }
  const isShared = (stat.mode & STICKY) !== 0;
  if ((stat.mode & OTHERS) !== 0 && !isShared && isOurs(folder)) closeToOthers(folder, stat);
}

/** Takes from others what they may do with a file of ours that exists. */
export function makePrivateFile(file: string): void {
  const stat = statSync(file);
  if (stat.uid === process.geteuid?.() && (stat.mode & OTHERS) !== 0) closeToOthers(file, stat);
}

function isOurs(folder: string): boolean {
  const names = readdirSync(folder);
  return names.length === 0 || names.some((name) => name.endsWith(".sqlite"));
}

function closeToOthers(place: string, { mode }: Stats): void {
  chmodSync(place, mode & 0o7777 & ~OTHERS);
}
