import { ExpectedError } from "../errors.ts";
import { isInScope, parseScope } from "./scope.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import { nameKey, showPath } from "../vault/paths.ts";

/**
 * Lets a caller change only what these globs cover; they are read as the scopes of a search are. Throws `invalid_argument` for one that is none.
 */
export function boundedTo(globs: readonly string[]): ChangeGuard {
  const scopes = globs.map((glob) => parseScope(glob));
  const places = globs.map((glob) => glob.replace(/^(?!vault(?:\/|$))/u, "vault/")).join(", ");
  return (_, path) => {
    if (isInScope(scopes, nameKey(path))) return;
    throw new ExpectedError(
      "protected",
      `${showPath(path)} cannot be changed over this connection: it may write only to ${places}. Reading is not bounded; leave other changes to the person.`,
    );
  };
}
