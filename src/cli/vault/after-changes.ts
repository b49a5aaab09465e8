import { setTimeout as pause } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import type { Change } from "../../vault/history/history-types.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";
import type { CommandContext } from "../table/command.ts";
import { withOwner } from "./owner.ts";

/** How often, and after how many milliseconds each, a service that does not answer yet is asked again. A starting one looks at every file anyway. */
const ATTEMPTS = 50;
const BETWEEN = 100;

/**
 * Called when a command has changed these paths, a folder standing for all under it: has the rest of the vault follow before the
 * command ends. What was changed stays changed, whatever goes wrong here.
 */
export async function afterChanges(
  vault: Vault,
  paths: readonly VaultPath[],
  { screen }: Pick<CommandContext, "screen">,
): Promise<void> {
  if (paths.length === 0) return;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if ((await tellOwner(vault, paths)) || (await follow(vault, paths))) return;
      // A service is starting, or another command is at it.
      await pause(BETWEEN);
    }
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    screen.warn(
      `The change is made, but tree.md and the search index could not follow it: ${error.message}`,
    );
  }
}

/** False when no service answers. */
async function tellOwner(vault: Vault, paths: readonly VaultPath[]): Promise<boolean> {
  const told = await withOwner(vault, async (owner) => {
    await owner.changed(paths);
    return true;
  });
  return told ?? false;
}

/** Does the service's work in its place, for what this process changed. False when another process owns the vault. */
async function follow({ root, state }: Vault, paths: readonly VaultPath[]): Promise<boolean> {
  const { acquireOwnership } = await import("../../jobs/owner/owner-lock.ts");
  const ownership = acquireOwnership(state);
  if (ownership === null) return false;
  try {
    const { createService } = await import("../../compose.ts");
    const service = await createService({ root, state, isWatching: false });
    try {
      await service.changed(paths);
    } finally {
      await service.close();
    }
    return true;
  } finally {
    ownership.release();
  }
}

/** Collects the paths that are changed through a vault from now on. */
export function watchChanges(vault: Vault): ReadonlySet<VaultPath> {
  const paths = new Set<VaultPath>();
  vault.onChange((change) => {
    for (const path of pathsOf(change)) paths.add(path);
  });
  return paths;
}

function pathsOf(change: Change): VaultPath[] {
  return change.kind === "move" ? [change.path, change.to] : [change.path];
}
