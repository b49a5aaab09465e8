import { setTimeout as pause } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import type { OwnedVault } from "./own-vault.ts";
import type { Place } from "./place.ts";

/** Milliseconds. An owner finishes its calls before it leaves. */
const TIMEOUT = 10_000;
const RETRY_DELAY = 20;
/** Milliseconds after which the person is told why nothing happens, and again after as many. */
const WORD_INTERVAL = 5000;
/** Milliseconds between two requests: one that is much older is taken for that of a killed process. */
const REQUEST_INTERVAL = 20_000;

/**
 * Makes this process the owner in place of one that only serves an AI client, or that is about to end. Throws `busy` when the owner keeps the
 * vault.
 * @param own makes this process the owner; null when another one is
 * @param onWaiting called when the owner takes long, and now and then after that
 */
export async function takeOver(
  { root, state }: Place,
  own: () => Promise<OwnedVault | null>,
  {
    timeout = TIMEOUT,
    wordInterval = WORD_INTERVAL,
    onWaiting = (_message: string): void => {},
  } = {},
): Promise<OwnedVault> {
  const { requestOwnership } = await import("../../jobs/owner/owner-request.ts");
  const withdraw = requestOwnership(state);
  const started = performance.now();
  let [requested, told] = [started, started];
  try {
    for (let now = started; now - started < timeout; now = performance.now()) {
      if (now - requested > REQUEST_INTERVAL) {
        requestOwnership(state);
        requested = now;
      }
      if (now - told > wordInterval) {
        onWaiting(
          `Another process still owns the vault ${root}: it finishes its work, or it hangs. Waiting for it since ${Math.round((now - started) / 1000)} s; Ctrl-C stops.`,
        );
        told = now;
      }
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
