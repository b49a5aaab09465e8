import type { BackgroundJob } from "./background-job.ts";
import { within } from "./within.ts";

/** Milliseconds that a search waits for changes to be indexed, and the tree of a service that has started for the first comparison. */
export const MAX_WAIT = 10_000;
/** The same while a service starts, or another thread indexes many files: together with the answer itself, less than a second. */
export const START_WAIT = 800;

/**
 * Resolves when all changes known so far are indexed; with a note for the caller when that takes too long.
 * @param isStarting the service answers, and has not indexed yet what it found at its start
 * @param starting resolves when the first comparison with the disk is done
 */
export async function untilIndexed(
  job: Pick<BackgroundJob, "indexed" | "toolsIndexed" | "inBulk" | "unindexed">,
  isStarting: boolean,
  starting: Promise<void>,
): Promise<string | null> {
  const isShort = isStarting || job.inBulk > 0;
  const [isOwnDone, isAllDone] = await Promise.all([
    // What tools wrote is found at once, also while the vault is still being compared with the index.
    within(MAX_WAIT, job.toolsIndexed()),
    within(
      isShort ? START_WAIT : MAX_WAIT,
      starting.then(() => job.indexed()),
    ),
  ]);
  const { unindexed, inBulk } = job;
  if (isOwnDone && isAllDone && inBulk === 0) return null;
  if (unindexed === 0) return "the vault is still being compared with the index: search again";
  return `${unindexed} files are still being indexed: search again for what they say`;
}
