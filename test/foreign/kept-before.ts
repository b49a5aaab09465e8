import { readFileSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../src/errors.ts";
import type { Change } from "../../src/vault/history/history-types.ts";
import { nameKey } from "../../src/vault/paths.ts";
import { createVault, type LocalVault } from "../../src/vault/vault.ts";
import type { Place } from "./look.ts";

const MOST_ENTRIES = 1000;

/** The names of changed files whose bytes from before are not in the history. Nobody may be serving the vault. */
export async function keptBefore(
  place: Place,
  before: ReadonlyMap<string, Buffer>,
): Promise<string[]> {
  const vault = createVault(place);
  try {
    const lost: string[] = [];
    const kept = await oldBytes(vault);
    for (const [name, bytes] of before) {
      if (readFileSync(path.join(place.root, name)).equals(bytes)) continue;
      const versions = kept.get(name.split("/").map(nameKey).join("/")) ?? [];
      if (!versions.some((each) => each.equals(bytes))) lost.push(name);
    }
    return lost;
  } finally {
    vault.close();
  }
}

/** What the history has of each path. */
async function oldBytes(vault: LocalVault): Promise<Map<string, Buffer[]>> {
  const kept = new Map<string, Buffer[]>();
  for (const { changes } of await vault.log({ path: null, limit: MOST_ENTRIES }))
    for (const change of changes) {
      const bytes = await bytesBefore(vault, change);
      if (bytes !== null) kept.set(change.path, [...(kept.get(change.path) ?? []), bytes]);
    }
  return kept;
}

async function bytesBefore(vault: LocalVault, change: Change): Promise<Buffer | null> {
  if (change.kind !== "modify" || !("wholeBefore" in change.kept)) return null;
  try {
    return await vault.kept(change.kept.wholeBefore);
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
