import { readdirSync, realpathSync } from "node:fs";
import path from "node:path";

import { isStateNamed, registryFile, stateFolder, vaultFolder } from "../../config.ts";
import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";
import { registeredState } from "../../jobs/owner/registered-owner.ts";
import { nearest } from "../../text/likeness.ts";
import { shellQuote } from "../system/shell-quote.ts";
import type { CommandContext } from "../table/command.ts";

/** A vault's two folders. */
export interface Place {
  /** The real folder of notes. */
  readonly root: string;
  readonly state: string;
}

/** Whether what was given as a vault is the address of one that a service answers for. */
export function isAddress(vault: string): boolean {
  return /^https?:\/\//iu.test(vault);
}

/** The vault of this command line. Throws `not_found` when its folder is missing. */
export function placeOf(context: Pick<CommandContext, "environment" | "named">): Place {
  const { vault } = context.named;
  if (vault !== undefined && isAddress(vault))
    throw new ExpectedError(
      "invalid_argument",
      `${vault} is an address, and this command works on a folder only. Look and write there with the tools, log, undo, remember, recall and inbox.`,
    );
  const folder = vaultFolder(vault, context.environment);
  try {
    return placeIn(folder, context);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw explainErrno(error, `The vault folder ${folder}`);
    const near = nearFolder(folder);
    const guess = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new ExpectedError(
      "not_found",
      `There is no vault in ${folder}.${guess} Make one with: coffre init ${shellQuote(folder)}`,
    );
  }
}

/** A folder beside the one that is missing, with nearly its name. */
function nearFolder(folder: string): string | undefined {
  const parent = path.dirname(folder);
  try {
    const beside = readdirSync(parent, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const near = nearest(
      path.basename(folder),
      beside.map(({ name }) => name),
    );
    return near === undefined ? undefined : path.join(parent, near);
  } catch {
    return undefined;
  }
}

/** The vault in a folder that exists. */
export function placeIn(
  folder: string,
  { environment, named }: Pick<CommandContext, "environment" | "named">,
): Place {
  const root = realpathSync.native(folder);
  const state = stateFolder(root, named.state, environment);
  if (isStateNamed(named.state, environment)) return { root, state };
  // A process that owns the vault with another state folder (`npm start`) is asked, rather than becoming a second owner beside it.
  return { root, state: registeredState(registryFile(root, environment)) ?? state };
}
