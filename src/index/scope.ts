import picomatch from "picomatch";

import { ExpectedError } from "../errors.ts";
import { nameKey, parsePath, type VaultPath } from "../vault/paths.ts";

/**
 * Reads the `scopes` of a search: globs over vault paths, with or without the prefix `vault/`. A folder, with or without a final
 * `/` or `/*`, covers everything under it.
 */
export function parseScopes(scopes: readonly string[]): (path: VaultPath) => boolean {
  const matchers = scopes.map(parseScope);
  return (path) => matchers.some((matches) => matches(path));
}

function parseScope(scope: string): (path: VaultPath) => boolean {
  if (scope.trim() === "") throw invalid(scope, "is empty");
  // The same rules as for any path: nothing absolute, hidden or outside.
  const pattern = parsePath(nameKey(scope)).path.replace(/\/\*{1,2}$/u, "");
  if (pattern === "" || pattern === "*" || pattern === "**") return () => true;
  try {
    const options = { strictBrackets: true, nonegate: true, nocase: false } as const;
    const exact = picomatch(pattern, options);
    const under = picomatch(`${pattern}/**`, options);
    return (path) => exact(path) || under(path);
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
