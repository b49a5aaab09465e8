import picomatch from "picomatch";

import { ExpectedError } from "../errors.ts";
import { isUnder, nameKey, parsePath, type VaultPath } from "../vault/paths.ts";

/** Files that a search may answer with. */
export interface Scope {
  /** What all of their paths begin with. */
  readonly start: string;
  /** Which of the paths that begin so are meant; null for the path `start` itself and all under it. */
  readonly matches: ((path: VaultPath) => boolean) | null;
  /** What `matches` was made from: equal patterns match the same paths. */
  readonly pattern?: string;
}

/** Whether one of the scopes holds a path; null for no bound. */
export function isInScope(scopes: readonly Scope[] | null, path: VaultPath): boolean {
  return scopes?.some(({ start, matches }) => matches?.(path) ?? isUnder(path, start)) ?? true;
}

/** What has a meaning of its own in a glob. */
const SPECIAL = /[!@+]?[*?[\]{}()|"\\]/u;

/**
 * Reads one of the `scopes` of a search: a glob over vault paths, with or without the prefix `vault/`. A folder, with or without a final
 * `/`, `/*` or `/**`, covers everything under it.
 */
export function parseScope(scope: string): Scope {
  if (scope.trim() === "") throw invalid(scope, "is empty");
  // The same rules as for any path: nothing absolute, hidden or outside.
  const pattern = parsePath(nameKey(scope)).path.replace(/(?:^|\/)\*{1,2}$/u, "");
  const special = pattern.search(SPECIAL);
  if (special < 0) return { start: pattern, matches: null };
  try {
    const options = { strictBrackets: true, nonegate: true, nocase: false } as const;
    const matches = picomatch([pattern, `${pattern}/**`], options);
    // A `|` outside brackets divides the whole pattern: what follows it need not begin like the rest.
    return { start: pattern.includes("|") ? "" : pattern.slice(0, special), matches, pattern };
  } catch (error) {
    throw invalid(scope, `is not a valid glob (${error instanceof Error ? error.message : ""})`);
  }
}

function invalid(scope: string, why: string): ExpectedError {
  return new ExpectedError(
    "invalid_argument",
    `The scope ${JSON.stringify(scope)} ${why}. Write it like "vault/projects/*/state.md" or "vault/bucket/**".`,
  );
}
