import { UsageError } from "./table/usage-error.ts";

/**
 * An id of the history, or the beginning of one. Every id begins with nothing: `coffre undo "$ID"` with a variable that was never
 * set must not undo the only change there is.
 */
export function entryId(given: string): string {
  if (given.trim() === "") throw new UsageError("ID is empty. List the changes with: coffre log.");
  return given;
}
