import { ExpectedError } from "../../errors.ts";
import type { Change } from "../../vault/history/history-types.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";

export interface TouchedFile {
  readonly path: string;
  readonly change: string;
}

/** What a batch changed, file by file, from the history: in the order of the first change of each. */
export async function touchedFiles(vault: Vault, batch: string): Promise<TouchedFile[]> {
  const touched = new Map<string, string>();
  const made = new Set<VaultPath>();
  for (const change of await changesOf(vault, batch)) {
    if ("madeFolders" in change) for (const folder of change.madeFolders) made.add(folder);
    switch (change.kind) {
      case "create":
      case "restore":
        touched.set(showPath(change.path), "created");
        break;
      case "modify":
        if (!touched.has(showPath(change.path))) touched.set(showPath(change.path), "changed");
        break;
      case "remove":
        for (const path of touched.keys())
          if (path.startsWith(`${showPath(change.path)}/`)) touched.delete(path);
        // What the run made and removed again is nobody's concern.
        if (made.has(change.path) || touched.get(showPath(change.path)) === "created")
          touched.delete(showPath(change.path));
        else touched.set(showPath(change.path), "deleted");
        break;
      case "move":
        touched.delete(showPath(change.path));
        touched.set(showPath(change.to), `moved from ${showPath(change.path)}`);
    }
  }
  return [...touched].map(([path, change]) => ({ path, change }));
}

/** All changes of a batch, oldest first; none when it changed nothing. */
async function changesOf(vault: Vault, batch: string): Promise<Change[]> {
  try {
    return (await vault.entries(batch)).flatMap((entry) => entry.changes);
  } catch (error) {
    if (error instanceof ExpectedError && error.code === "not_found") return [];
    throw error;
  }
}
