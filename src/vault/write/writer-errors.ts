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
