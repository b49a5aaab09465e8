import { setTimeout as pause } from "node:timers/promises";

import { isAway, isPassing } from "../../storage/postgres/explain-postgres.ts";
import { MAX_OUTAGES } from "./queue-rules.ts";
import type { CutOff } from "./update-rows.ts";

/** Milliseconds until a database that was away or too busy is asked again. */
const RETRY = 500;
/** Milliseconds until something larger is begun again at most. */
const LONGEST = 60_000;

/** For an attempt that the database did not let end; null for any other error. */
export function cutOffBy(error: unknown, attempts: number, isCancelled: boolean): CutOff | null {
  if (!isPassing(error)) return null;
  return { isCrash: isAway(error) && attempts >= MAX_OUTAGES, isCancelled };
}

/** Waits before an update is begun again, longer after each attempt: with a model, each costs. No longer than until the signal. */
export async function beforeAgain(attempts: number, signal: AbortSignal): Promise<void> {
  await wait(Math.min(LONGEST, RETRY * 2 ** (attempts - 1)), signal);
}

/** Does something as soon as the database lets it: what may pass is tried again after a pause, which the signal ends. */
export async function untilDone<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  mayPass: (error: unknown) => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await wait(RETRY, signal);
    }
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}
