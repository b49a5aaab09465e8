import { setTimeout as pause } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import type { OwnedVault } from "./own-vault.ts";
import type { Place } from "./place.ts";

/** Milliseconds. An owner finishes its calls before it leaves. */
const TIMEOUT = 10_000;
const RETRY_DELAY = 20;

/**
 * Makes this process the owner in place of one that only serves an AI client, or that is about to end. Throws `busy` when the owner keeps the
 * vault.
 * @param own makes this process the owner; null when another one is
 */
export async function takeOver(
  { root, state }: Place,
  own: () => Promise<OwnedVault | null>,
  { timeout = TIMEOUT } = {},
): Promise<OwnedVault> {
  const { requestOwnership } = await import("../../jobs/owner/owner-request.ts");
  const withdraw = requestOwnership(state);
  const latest = performance.now() + timeout;
  try {
    while (performance.now() < latest) {
      await askOwner(state);
      const owned = await own();
      if (owned !== null) return owned;
      await pause(RETRY_DELAY);
    }
  } finally {
    withdraw();
  }
  throw new ExpectedError(
    "busy",
    `Another process keeps the vault ${root} and does not let go: it is still starting, or it hangs. coffre status tells which one it is.`,
  );
}

async function askOwner(state: string): Promise<void> {
  const { connectOwner } = await import("../../server/client/socket-transport.ts");
  const { OwnerGoneError } = await import("../../server/client/transport.ts");
  const { VaultClient } = await import("../../server/client/vault-client.ts");
  const transport = await connectOwner(state);
  if (transport === null) return;
  try {
    await new VaultClient(transport).handOver();
  } catch (error) {
    if (!(error instanceof OwnerGoneError)) throw error;
  } finally {
    transport.close();
  }
}
