import { ExpectedError } from "../vault/errors.ts";
import type { Change } from "../vault/history-types.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { Vault } from "../vault/vault.ts";
import type { CommandContext } from "./command.ts";
import { withOwner } from "./owner.ts";

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
    const told = await withOwner(vault, async (owner) => {
      await owner.changed(paths);
      return true;
    });
    if (told === null) await follow(vault, paths);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    screen.warn(
      `The change is made, but tree.md and the search index could not follow it: ${error.message}`,
    );
  }
}

/** No service runs: this process does its work, for what it changed. */
async function follow({ root, state }: Vault, paths: readonly VaultPath[]): Promise<void> {
  const { createService } = await import("../compose.ts");
  const service = await createService({ root, state, isWatching: false });
  try {
    await service.changed(paths);
  } finally {
    await service.close();
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
