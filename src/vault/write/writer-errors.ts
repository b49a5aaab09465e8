/** What the writer refuses, in words. */
import { ExpectedError } from "../../errors.ts";
import { showPath, type VaultPath } from "../paths.ts";

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
