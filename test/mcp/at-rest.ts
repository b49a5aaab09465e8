import { setTimeout } from "node:timers/promises";

import { connectOwner } from "../../src/server/client/socket-transport.ts";
import { VaultClient } from "../../src/server/client/vault-client.ts";
import type { Place } from "./any-client.ts";

const BETWEEN = 10;

/** Resolves when a vault has an owner that has looked at every file of it. */
export async function atRest({ state }: Pick<Place, "state">): Promise<void> {
  for (; ; await setTimeout(BETWEEN)) {
    const owner = await connectOwner(state);
    const status = owner === null ? null : await new VaultClient(owner).status();
    owner?.close();
    if (status?.index.pending === 0) return;
  }
}
