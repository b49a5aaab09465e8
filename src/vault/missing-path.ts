import { ExpectedError } from "../errors.ts";
import { showPath, type VaultPath } from "./paths.ts";

/**
 * The refusal of a path where nothing is.
 * @param near existing paths that resemble it
 * @param folder the innermost folder on its way that is there
 */
export function missingPath(
  path: VaultPath,
  near: readonly VaultPath[],
  folder: VaultPath,
): ExpectedError {
  const hint =
    near.length === 0
      ? `Look with tree("${showPath(folder, "folder")}").`
      : `Did you mean ${near.map((name) => showPath(name)).join(", or ")}?`;
  return notFound(path, ` ${hint}`);
}

export function notFound(path: VaultPath, hint = ""): ExpectedError {
  return new ExpectedError("not_found", `${showPath(path)} does not exist.${hint}`);
}
