import { z } from "zod";

import { UpdateInput, UpdateReport, UpdateStatus } from "../contract.ts";

/** An update as a queue stores it. Other versions may have written it, so it is checked when it is read. */
export const QueuedUpdate = z.object({
  id: z.string(),
  status: UpdateStatus.catch("failed"),
  input: UpdateInput,
  /** How often it was started. */
  attempts: z.number(),
  /** How often the process ended while it was running. */
  crashes: z.number(),
  /** Milliseconds since 1970. */
  created: z.number(),
  started: z.number().nullable(),
  ended: z.number().nullable(),
  report: UpdateReport.nullable(),
  /** Why it failed or was cancelled. */
  error: z.string().nullable(),
});

export type QueuedUpdate = Readonly<z.infer<typeof QueuedUpdate>>;

/**
 * Runs updates one at a time, first in, first out. An accepted update survives a crash: at the next start, what its cut-off attempt wrote is
 * undone and it runs again. Any implementation passes `src/testing/suites/update-queue-suite.ts`.
 */
export interface UpdateQueue {
  /** The update is durable when this resolves. Its run starts later, so that the caller knows its id before its first event. */
  add(input: UpdateInput): Promise<QueuedUpdate>;
  /** Throws `not_found`. */
  get(id: string): Promise<QueuedUpdate>;
  /** The newest first; 50 by default. @param asker the id of a person: only what they handed over */
  list(limit?: number, asker?: string): Promise<QueuedUpdate[]>;
  counts(asker?: string): Promise<QueueCounts>;
  /** Removes an update from the queue, or aborts its run. Throws `conflict` when it has ended already. */
  cancel(id: string): Promise<QueuedUpdate>;
  /** Queues an update again that failed, was cancelled or was parked. Throws `conflict` for any other. */
  retry(id: string): Promise<QueuedUpdate>;
  /** Those whose changes wait for a yes. */
  previews(): Promise<QueuedUpdate[]>;
  /** Puts changes that were tried already before the person, as a preview; again with the same id when there are more of them. */
  propose(id: string, input: UpdateInput, report: UpdateReport): Promise<QueuedUpdate>;
  /** Ends a preview: with the report of what was made of it, or null when it was rejected. Throws `conflict` for any other update. */
  decide(id: string, report: UpdateReport | null): Promise<QueuedUpdate>;
  /** Resolves when the update has ended, successfully or not, or waits for a yes. */
  ended(id: string): Promise<QueuedUpdate>;
  /** Recovers what a previous process left, and starts to run updates. Only the owner of the vault may call it. */
  start(): Promise<void>;
  /** Aborts the running update; it runs again after the next start. */
  close(): Promise<void>;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
}

/** One attempt to run an update. */
export interface Attempt {
  readonly id: string;
  /** The history batch of this attempt; each attempt has its own. */
  readonly batch: string;
  readonly signal: AbortSignal;
}

/** What the queue calls to do its work. */
export interface QueueWork {
  readonly run: (input: UpdateInput, attempt: Attempt) => Promise<UpdateReport>;
  /** Undoes what an attempt wrote. Null when nothing of it is left; else the reason why it cannot be undone. */
  readonly takeBack: (batch: string) => Promise<string | null>;
  /** Parks an update whose attempt was cut off and cannot be undone. */
  readonly giveUp: (input: UpdateInput, batch: string, reason: string) => Promise<UpdateReport>;
  /** Called after every change of an update's status. */
  readonly onChange: (update: QueuedUpdate, counts: QueueCounts) => void;
  readonly onBug: (error: unknown, doing: string) => void;
  readonly now: () => Date;
}
