import { setTimeout as pause } from "node:timers/promises";

import { connectOwner } from "../../src/server/client/socket-transport.ts";
import { VaultClient } from "../../src/server/client/vault-client.ts";
import { snapshotOf } from "../../src/testing/tree-snapshot.ts";
import type { Place } from "./look.ts";

const POLL = 50;

/** Everything in a vault but git's own files, which `git status` rewrites: bytes, modes and times. */
export function vaultSnapshot(root: string, { times = true } = {}): Map<string, string> {
  const all = Object.entries(snapshotOf(root, { times }));
  return new Map(all.filter(([name]) => !/^\.git(?:$|\/)/u.test(name)));
}

/** What differs, one line for each name. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? "nothing"} -> ${after.get(name) ?? "nothing"}`);
}

/** Resolves when the service of a place has indexed and stamped all it wants to. */
export async function atRest({ state }: Place): Promise<void> {
  // Twice, since a file may be waiting to be quiet in between.
  for (let calm = 0; calm < 3; await pause(POLL)) {
    const owner = await connectOwner(state);
    const status = owner === null ? null : await new VaultClient(owner).status();
    owner?.close();
    calm = status?.index.pending === 0 && status.index.files > 0 ? calm + 1 : 0;
  }
}
