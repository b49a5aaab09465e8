import { realpathSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../errors.ts";

/**
 * The real path of a vault's state folder, which need not exist. Throws `invalid_argument` when it lies inside the vault.
 * @param root the vault's real folder
 */
export function checkedStateFolder(root: string, folder: string): string {
  const state = realFolder(path.resolve(folder));
  if (state !== root && !state.startsWith(root + path.sep)) return state;
  throw new ExpectedError(
    "invalid_argument",
    `The state folder ${state} lies inside the vault ${root}; choose one outside it.`,
  );
}

/** Links followed, as far as the folder exists. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realFolder(parent), path.basename(folder));
  }
}
