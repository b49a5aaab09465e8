import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { batchOf } from "../batches.ts";
import { UpdateInput, UpdateReport, type UpdateStatus } from "../contract.ts";
import { QueuedUpdate, type QueueWork } from "./update-queue.ts";

/*
 * What every queue of updates does the same way, wherever it keeps them.
 */

/** Ended updates that are kept. Those that failed are kept until somebody retries them: nothing else has their text. */
export const MAX_ENDED = 500;
/** After this many crashes the update itself is taken for the cause. */
export const MAX_CRASHES = 3;
/** After this many attempts it is taken for the cause of a database that is away, too. */
export const MAX_OUTAGES = 20;

export const CRASHED = `The program ended ${MAX_CRASHES} times while this update was running, so it is not run again automatically. Retry it when the cause is known.`;

/** Aborts the running update when the queue is closed. */
export class QueueClosed extends Error {}

/** What an update is when its agent is done with it. */
export function statusOf({ outcome, isPreview }: UpdateReport): UpdateStatus {
  if (isPreview === true) return "preview";
  return outcome === "filed" ? "done" : "parked";
}

/** Removes the inbox item of a parked update. Throws `conflict` when it was changed since. */
export async function removeParked(
  { id, report, attempts }: QueuedUpdate,
  takeBack: QueueWork["takeBack"],
): Promise<void> {
  const reason = await takeBack(report?.batch ?? batchOf(id, attempts));
  if (reason === null) return;
  throw new ExpectedError(
    "conflict",
    `${id} left something in the inbox that was changed since. Answer it there instead.`,
  );
}

const Json = z.string().transform((text): unknown => JSON.parse(text));

/** A row of a database: input and report are JSON texts. */
export const StoredUpdate = QueuedUpdate.extend({
  input: Json.pipe(UpdateInput),
  report: Json.pipe(UpdateReport).nullable(),
});
