import type { BackgroundJob } from "./background-job.ts";
import { within } from "./within.ts";

/** Milliseconds that a search waits for changes to be indexed, and the tree for the first comparison. */
export const MAX_WAIT = 10_000;
/** The same while another thread indexes many files: a search does not wait for those. */
const BULK_WAIT = 1000;

/**
 * Resolves when all changes known so far are indexed; with a note for the caller when that takes too long.
 * @param starting resolves when the first comparison with the disk is done
 */
export async function untilIndexed(
  job: Pick<BackgroundJob, "indexed" | "inBulk" | "unindexed">,
  isStarting: boolean,
  starting: Promise<void>,
): Promise<string | null> {
  const wait = isStarting || job.inBulk > 0 ? BULK_WAIT : MAX_WAIT;
  // What tools wrote is found at once, also while the vault is still being compared with the index.
  const isOwnDone = await within(MAX_WAIT, job.indexed());
  const isAllDone = await within(
    wait,
    starting.then(() => job.indexed()),
  );
  const { unindexed, inBulk } = job;
  if (isOwnDone && isAllDone && inBulk === 0) return null;
  if (unindexed === 0) return "the vault is still being compared with the index: search again";
  return `${unindexed} files are still being indexed: search again for what they say`;
}
