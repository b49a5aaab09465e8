import { setImmediate } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import { newId } from "../../vault/history/history.ts";
import type { UpdateInput, UpdateReport } from "../contract.ts";
import { QueueStore, type UpdateEnd } from "./queue-store.ts";
import type { QueueCounts, QueuedUpdate, QueueWork, UpdateQueue } from "./update-queue.ts";

export interface SqliteQueueOptions extends QueueWork {
  /** The vault's state folder. */
  readonly state: string;
}

/** After this many crashes the update itself is taken for the cause. */
const MAX_CRASHES = 3;

/** The queue of a vault on this machine, in SQLite. */
export class SqliteUpdateQueue implements UpdateQueue {
  readonly #options: SqliteQueueOptions;
  readonly #store: QueueStore;
  readonly #waiters = new Map<string, Set<() => void>>();
  #running: { readonly id: string; readonly abort: AbortController } | null = null;
  #working: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: SqliteQueueOptions) {
    this.#options = options;
    this.#store = new QueueStore(options.state);
  }

  async start(): Promise<void> {
    for (const update of this.#store.running()) await this.#recover(update);
    this.#wake();
  }

  async add(input: UpdateInput): Promise<QueuedUpdate> {
    const id = addTo(this.#store, input, this.#options.now());
    this.#changed(id);
    this.#wake();
    return this.#store.get(id);
  }

  async get(id: string): Promise<QueuedUpdate> {
    return this.#store.get(id);
  }

  async list(limit = 50): Promise<QueuedUpdate[]> {
    return this.#store.newest(limit);
  }

  async counts(): Promise<QueueCounts> {
    return this.#counts();
  }

  async cancel(id: string): Promise<QueuedUpdate> {
    const { status } = this.#store.get(id);
    if (this.#running?.id === id) {
      this.#running.abort.abort(new ExpectedError("conflict", "It was cancelled."));
      return this.ended(id);
    }
    if (status !== "waiting") {
      throw new ExpectedError(
        "conflict",
        `${id} has ended (${status}); there is nothing to cancel.`,
      );
    }
    this.#end(id, { status: "cancelled", error: "It was cancelled." });
    return this.#store.get(id);
  }

  async retry(id: string): Promise<QueuedUpdate> {
    const update = this.#store.get(id);
    const { status } = update;
    if (status !== "failed" && status !== "cancelled" && status !== "parked") {
      throw new ExpectedError("conflict", `${id} is ${status}; there is nothing to retry.`);
    }
    if (status === "parked") await this.#removeParked(update);
    this.#store.requeue(id);
    this.#changed(id);
    this.#wake();
    return this.#store.get(id);
  }

  async ended(id: string): Promise<QueuedUpdate> {
    for (;;) {
      const update = this.#store.get(id);
      if (update.status !== "waiting" && update.status !== "running") return update;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters.add(resolve));
      await promise;
      waiters.delete(resolve);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.abort.abort(new QueueClosed());
    await this.#working;
    this.#store.close();
  }

  #counts(): QueueCounts {
    return { waiting: this.#store.count("waiting"), running: this.#store.count("running") };
  }

  #wake(): void {
    if (this.#isClosed || this.#working !== null) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
      // One may have been added after the last check.
      if (this.#next() !== null) this.#wake();
    });
  }

  async #work(): Promise<void> {
    // The caller of `add` gets the id before the first event.
    await setImmediate();
    for (let next = this.#next(); next !== null; next = this.#next()) await this.#run(next);
  }

  #next(): QueuedUpdate | null {
    return this.#isClosed ? null : this.#store.nextWaiting();
  }

  async #run({ id, input, attempts }: QueuedUpdate): Promise<void> {
    const { now, run } = this.#options;
    const abort = new AbortController();
    const { signal } = abort;
    this.#running = { id, abort };
    this.#store.begin(id, now().getTime());
    this.#changed(id);
    try {
      this.#finish(id, await run(input, { id, batch: batchOf(id, attempts + 1), signal }));
    } catch (error) {
      this.#fail(id, signal.aborted ? signal.reason : error, signal.aborted);
    } finally {
      this.#running = null;
    }
  }

  #fail(id: string, error: unknown, wasAborted: boolean): void {
    if (error instanceof QueueClosed) {
      this.#store.resume(id, false);
      return;
    }
    const isExpected = error instanceof ExpectedError;
    if (!isExpected) this.#options.onBug(error, `update ${id}`);
    const message = isExpected ? error.message : "Internal error; see the log.";
    this.#end(id, { status: wasAborted ? "cancelled" : "failed", error: message });
  }

  async #recover({ id, input, attempts, crashes }: QueuedUpdate): Promise<void> {
    const { takeBack, giveUp, onBug } = this.#options;
    const batch = batchOf(id, attempts);
    try {
      const reason = await takeBack(batch);
      if (reason !== null) this.#finish(id, await giveUp(input, batch, reason));
      else if (crashes + 1 < MAX_CRASHES) this.#store.resume(id, true);
      else {
        const error = `The program ended ${MAX_CRASHES} times while this update was running, so it is not run again by itself. Retry it when the cause is known.`;
        this.#end(id, { status: "failed", error });
      }
    } catch (error) {
      onBug(error, `update ${id}`);
      this.#end(id, { status: "failed", error: String(error) });
    }
  }

  /** Removes the inbox item of a parked update. Throws `conflict` when somebody has changed it. */
  async #removeParked({ id, report, attempts }: QueuedUpdate): Promise<void> {
    const reason = await this.#options.takeBack(report?.batch ?? batchOf(id, attempts));
    if (reason === null) return;
    throw new ExpectedError(
      "conflict",
      `${id} left something in the inbox that was changed since. Answer it there instead.`,
    );
  }

  #finish(id: string, report: UpdateReport): void {
    this.#end(id, { status: report.outcome === "filed" ? "done" : "parked", report });
  }

  #end(id: string, end: UpdateEnd): void {
    this.#store.end(id, end, this.#options.now().getTime());
    this.#changed(id);
  }

  #changed(id: string): void {
    this.#options.onChange(this.#store.get(id), this.#counts());
    for (const wake of this.#waiters.get(id) ?? []) wake();
  }
}

/** Adds an update for the process that owns the vault next. Its id. Any process may call it: nothing runs here. */
export function leaveUpdate(state: string, input: UpdateInput, now: Date): string {
  const store = new QueueStore(state);
  try {
    return addTo(store, input, now);
  } finally {
    store.close();
  }
}

function addTo(store: QueueStore, input: UpdateInput, now: Date): string {
  const id = newId(now);
  store.add(id, input, now.getTime());
  return id;
}

/** Aborts the running update when the queue is closed. */
class QueueClosed extends Error {}

function batchOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}
