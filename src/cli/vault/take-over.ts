import { setTimeout as pause } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import type { OwnedVault, Place } from "./own-vault.ts";

/** Milliseconds. An owner ends what it is at before it goes. */
const PATIENCE = 10_000;
const BETWEEN_TRIES = 20;

/**
 * Makes this process the owner in the place of one that only serves an AI client, or that is about to end. Throws `busy` when the owner keeps the
 * vault.
 * @param own makes this process the owner; null when another one is
 */
export async function takeOver(
  { root, state }: Place,
  own: () => Promise<OwnedVault | null>,
  { patience = PATIENCE } = {},
): Promise<OwnedVault> {
  const { requestOwnership } = await import("../../jobs/owner/owner-request.ts");
  const withdraw = requestOwnership(state);
  const latest = performance.now() + patience;
  try {
    while (performance.now() < latest) {
      await askOwner(state);
      const owned = await own();
      if (owned !== null) return owned;
      await pause(BETWEEN_TRIES);
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
  const { connectOwner } = await import("../../server/owner/owner-client.ts");
  const { OwnerGoneError } = await import("../../server/owner/owner-connection.ts");
  const owner = await connectOwner(state);
  try {
    await owner?.handOver();
  } catch (error) {
    if (!(error instanceof OwnerGoneError)) throw error;
  } finally {
    owner?.close();
  }
}
