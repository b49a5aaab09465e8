import { mkdirSync } from "node:fs";

import { errnoOf, explainErrno, ExpectedError } from "../../errors.ts";

/** Makes a folder of an overlay, and those above it. Throws an `ExpectedError` when the disk does not let it. */
export function makeOverlayFolder(folder: string): void {
  keepingOverlay(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
}

/** Does something on the disk for an overlay; what the disk refuses is an `ExpectedError`. */
export function keepingOverlay<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Node looks whether a folder is there when it cannot make it, and reports what it saw instead of why it could not.
    if (errnoOf(error) === "ENOENT") {
      const message = `${place} cannot be read: the disk reports an error.`;
      throw new ExpectedError("unavailable", message, { cause: error });
    }
    throw explainErrno(error, place);
  }
}
