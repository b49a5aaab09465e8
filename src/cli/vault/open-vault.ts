import { realpathSync } from "node:fs";

import { stateFolder, vaultFolder } from "../../config.ts";
import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";
import type { Vault } from "../../vault/vault.ts";
import { afterChanges, watchChanges } from "./after-changes.ts";
import type { CommandContext } from "../table/command.ts";
import { shellQuote } from "../shell-quote.ts";

type Place = Pick<CommandContext, "environment" | "named" | "now" | "screen">;

/** Lends the vault of this command line to `work`, sees to what it changed, and closes it whatever happens. */
export async function withVault<T>(place: Place, work: (vault: Vault) => Promise<T>): Promise<T> {
  const folder = vaultFolder(place.named.vault, place.environment);
  let root: string;
  try {
    root = realpathSync.native(folder);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw explainErrno(error, `The vault folder ${folder}`);
    throw new ExpectedError(
      "not_found",
      `There is no vault in ${folder}. Make one with: coffre init ${shellQuote(folder)}`,
    );
  }
  return withVaultIn(root, place, work);
}

/**
 * Like {@link withVault}, for a folder that is known to exist.
 * @param root its real path
 */
export async function withVaultIn<T>(
  root: string,
  place: Place,
  work: (vault: Vault) => Promise<T>,
): Promise<T> {
  // Loaded when needed: help, versions and mistakes are answered without it.
  const { createVault } = await import("../../vault/vault.ts");
  const { environment, named, now } = place;
  const state = stateFolder(root, named.state, environment);
  const vault = createVault({ root, state, now });
  const changed = watchChanges(vault);
  try {
    return await work(vault);
  } finally {
    if (changed.size > 0) await afterChanges(vault, [...changed], place);
    vault.close();
  }
}
