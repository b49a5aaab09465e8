import { realpathSync } from "node:fs";

import { stateFolder, vaultFolder } from "../../config.ts";
import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";
import { shellQuote } from "../system/shell-quote.ts";
import type { CommandContext } from "../table/command.ts";

/** A vault's two folders. */
export interface Place {
  /** The real folder of notes. */
  readonly root: string;
  readonly state: string;
}

/** The vault of this command line. Throws `not_found` when its folder is missing. */
export function placeOf(context: Pick<CommandContext, "environment" | "named">): Place {
  const folder = vaultFolder(context.named.vault, context.environment);
  try {
    return placeIn(folder, context);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw explainErrno(error, `The vault folder ${folder}`);
    throw new ExpectedError(
      "not_found",
      `There is no vault in ${folder}. Make one with: coffre init ${shellQuote(folder)}`,
    );
  }
}

/** The vault in a folder that exists. */
export function placeIn(
  folder: string,
  { environment, named }: Pick<CommandContext, "environment" | "named">,
): Place {
  const root = realpathSync.native(folder);
  return { root, state: stateFolder(root, named.state, environment) };
}
