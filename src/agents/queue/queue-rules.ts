import { z } from "zod";

import { UpdateInput, UpdateReport } from "../contract.ts";
import { QueuedUpdate } from "./update-queue.ts";

/*
 * What every queue of updates does the same way, wherever it keeps them.
 */

/** Ended updates that are kept. Those that failed are kept until somebody retries them: nothing else has their text. */
export const MAX_ENDED = 500;
/** After this many crashes the update itself is taken for the cause. */
export const MAX_CRASHES = 3;

export const CRASHED = `The program ended ${MAX_CRASHES} times while this update was running, so it is not run again automatically. Retry it when the cause is known.`;

/** Aborts the running update when the queue is closed. */
export class QueueClosed extends Error {}

/** The history batch of one attempt. */
export function batchOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

const Json = z.string().transform((text): unknown => JSON.parse(text));

/** A row of a database: input and report are JSON texts. */
export const StoredUpdate = QueuedUpdate.extend({
  input: Json.pipe(UpdateInput),
  report: Json.pipe(UpdateReport).nullable(),
});
