import { ExpectedError } from "../../errors.ts";
import { isPassing } from "../../storage/postgres/explain-postgres.ts";
import type { Change } from "../../vault/history/history-types.ts";
import { parsePath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { CallersVault } from "../../vault/vault.ts";
import { UPDATE_ACTOR } from "../agent-run.ts";
import { parkingBatch } from "../batches.ts";
import type { UpdateReport } from "../contract.ts";

/*
 * What a run wrote, by the history: all its changes are one batch.
 */

/**
 * Undoes a batch. Null when nothing of it is left; else why it cannot be undone: a file was changed since, and nothing is touched. Throws when a
 * database does not let it now.
 */
export async function undoBatch(vault: CallersVault, batch: string): Promise<string | null> {
  try {
    await vault.undo(batch, { actor: UPDATE_ACTOR, force: false, wasKilled: true });
    return null;
  } catch (error) {
    if (!(error instanceof ExpectedError) || isPassing(error)) throw error;
    return error.code === "not_found" ? null : error.message;
  }
}

/** The same for all that an attempt wrote: it may have been cut off while it put its input into the inbox. */
export async function undoAttempt(vault: CallersVault, batch: string): Promise<string | null> {
  return (await undoBatch(vault, parkingBatch(batch))) ?? undoBatch(vault, batch);
}

/** What a batch changed, file by file, in the order of the first change of each. */
export async function touchedFiles(
  vault: CallersVault,
  batch: string,
): Promise<UpdateReport["touched"]> {
  const touched = new Map<string, string>();
  const made = new Set<VaultPath>();
  for (const change of await changesOf(vault, batch)) {
    if ("madeFolders" in change) for (const folder of change.madeFolders) made.add(folder);
    const path = showPath(change.path);
    switch (change.kind) {
      case "create":
      case "restore":
        touched.set(path, "created");
        break;
      case "modify":
        if (!touched.has(path)) touched.set(path, "changed");
        break;
      case "remove":
        for (const each of touched.keys()) if (each.startsWith(`${path}/`)) touched.delete(each);
        // What the run both created and removed is not reported.
        if (made.has(change.path) || touched.get(path) === "created") touched.delete(path);
        else touched.set(path, "deleted");
        break;
      case "move":
        touched.delete(path);
        touched.set(showPath(change.to), `moved from ${path}`);
    }
  }
  return [...touched].map(([path, change]) => ({ path, change }));
}

/** Paths of what a batch added, where they are now. */
export async function addedPaths(vault: CallersVault, batch: string): Promise<VaultPath[]> {
  return (await touchedFiles(vault, batch))
    .filter(({ change }) => change !== "changed" && change !== "deleted")
    .map(({ path }) => parsePath(path).path);
}

/** One line of text for each file that a batch touched. */
export function touchedLines(touched: UpdateReport["touched"]): string[] {
  return touched.map(({ path, change }) => `${path} (${change})`);
}

/** All changes of a batch, oldest first; none when it changed nothing. */
async function changesOf(vault: CallersVault, batch: string): Promise<Change[]> {
  try {
    return (await vault.entries(batch)).flatMap((entry) => entry.changes);
  } catch (error) {
    if (error instanceof ExpectedError && error.code === "not_found") return [];
    throw error;
  }
}
