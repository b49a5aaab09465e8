import type { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { newId } from "../../vault/history/history-store.ts";
import { localTime } from "../../text/local-time.ts";
import { QueueStore, type TaskRow, type TaskStatus } from "./queue-store.ts";

/** A task as others see it. */
export interface TaskView<Input, Report> {
  readonly id: string;
  readonly status: TaskStatus;
  readonly input: Input;
  /** Local times. */
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly attempts: number;
  readonly report: Report | null;
  /** Why it failed or was cancelled. */
  readonly error: string | null;
}

/** What a task is given to run with. */
export interface TaskRun {
  readonly id: string;
  /** Names this attempt: a later one has another. */
  readonly batch: string;
  readonly signal: AbortSignal;
}

export interface TaskOutcome<Report> {
  readonly status: "done" | "parked";
  readonly report: Report;
}

export interface TaskQueueOptions<Input, Report> {
  readonly state: string;
  readonly now: () => Date;
  /** What is kept of tasks must be readable by a later version: it is checked when it is read. */
  readonly input: z.ZodType<Input>;
  readonly report: z.ZodType<Report>;
  readonly run: (input: Input, run: TaskRun) => Promise<TaskOutcome<Report>>;
  /** Takes back what an attempt did. Null when it is as if it had never been; else why that cannot be. */
  readonly takeBack: (batch: string) => Promise<string | null>;
  /** Ends a task whose attempt was cut short and cannot be taken back. */
  readonly giveUp: (input: Input, batch: string, why: string) => Promise<TaskOutcome<Report>>;
  /** Hears of every change of a task's status. */
  readonly onChange: (task: TaskView<Input, Report>) => void;
  readonly onBug: (error: unknown, asked: string) => void;
}

/** A crash at every attempt is no accident: the task itself is what ends the process. */
const MOST_CRASHES = 3;

/**
 * Runs tasks one after another, first come first served. What was accepted survives the process: at the next start, a task that was running is
 * cleared up after and run again.
 */
export class TaskQueue<Input, Report> {
  readonly #options: TaskQueueOptions<Input, Report>;
  readonly #store: QueueStore;
  readonly #waiters = new Map<string, Set<() => void>>();
  #running: { readonly id: string; readonly abort: AbortController } | null = null;
  #working: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: TaskQueueOptions<Input, Report>) {
    this.#options = options;
    this.#store = new QueueStore(options.state);
  }

  /** Takes up what a process before this one left. Only the owner of the vault may. */
  async start(): Promise<void> {
    for (const row of this.#store.of("running")) await this.#recover(row);
    this.#wake();
  }

  /** Durable when this returns. */
  add(input: Input): TaskView<Input, Report> {
    const { now } = this.#options;
    const id = newId(now());
    this.#store.add(id, JSON.stringify(input), now().getTime());
    this.#tell(id);
    this.#wake();
    return this.get(id);
  }

  /** Throws `not_found`. */
  get(id: string): TaskView<Input, Report> {
    return this.#view(this.#row(id));
  }

  /** The newest first. */
  list(limit = 50): TaskView<Input, Report>[] {
    return this.#store.all(limit).map((row) => this.#view(row));
  }

  counts(): { readonly waiting: number; readonly running: number } {
    return {
      waiting: this.#store.of("waiting").length,
      running: this.#store.of("running").length,
    };
  }

  /** Takes a task out of the queue, or ends it where it is. Throws `conflict` when it has ended already. */
  async cancel(id: string): Promise<TaskView<Input, Report>> {
    const { status } = this.#row(id);
    if (this.#running?.id === id) {
      this.#running.abort.abort(new ExpectedError("conflict", "It was cancelled."));
      await this.ended(id);
    } else if (status === "waiting") {
      this.#end(id, { status: "cancelled", report: null, error: "It was cancelled." });
    } else {
      throw new ExpectedError(
        "conflict",
        `${id} has ended (${status}); there is nothing to cancel.`,
      );
    }
    return this.get(id);
  }

  /** Runs a task again that did not come to a good end. What its last attempt left is cleared up first. */
  async retry(id: string): Promise<TaskView<Input, Report>> {
    const row = this.#row(id);
    if (row.status !== "failed" && row.status !== "cancelled" && row.status !== "parked") {
      throw new ExpectedError("conflict", `${id} is ${row.status}; there is nothing to retry.`);
    }
    if (row.status === "parked") await this.#clearParked(row);
    this.#store.again(id);
    this.#tell(id);
    this.#wake();
    return this.get(id);
  }

  /** Resolves when the task has ended, however. */
  async ended(id: string): Promise<TaskView<Input, Report>> {
    for (;;) {
      const task = this.get(id);
      if (task.status !== "waiting" && task.status !== "running") return task;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters.add(resolve));
      await promise;
      waiters.delete(resolve);
    }
  }

  /** Ends what is running; it is taken up at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.abort.abort(new Closing());
    await this.#working;
    this.#store.close();
  }

  #row(id: string): TaskRow {
    const row = this.#store.get(id);
    if (row !== null) return row;
    throw new ExpectedError("not_found", `There is no update ${JSON.stringify(id)}.`);
  }

  #wake(): void {
    if (this.#isClosed || this.#working !== null) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
      // What came in the moment between the last look and this one.
      if (this.#next() !== undefined) this.#wake();
    });
  }

  async #work(): Promise<void> {
    // Whoever added the task gets its id before its first event.
    await Promise.resolve();
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#run(next);
  }

  #next(): TaskRow | undefined {
    return this.#isClosed ? undefined : this.#store.of("waiting")[0];
  }

  async #run(row: TaskRow): Promise<void> {
    const { now, run } = this.#options;
    const abort = new AbortController();
    this.#running = { id: row.id, abort };
    this.#store.begin(row.id, now().getTime());
    this.#tell(row.id);
    try {
      const batch = batchOf(row.id, row.attempts + 1);
      const outcome = await run(this.#input(row), { id: row.id, batch, signal: abort.signal });
      this.#finish(row.id, outcome);
    } catch (error) {
      this.#fail(row.id, abort.signal.aborted ? abort.signal.reason : error, abort.signal.aborted);
    } finally {
      this.#running = null;
    }
  }

  #fail(id: string, error: unknown, wasAborted: boolean): void {
    if (error instanceof Closing) {
      // Whoever starts next takes it up.
      this.#store.resume(id, false);
      return;
    }
    if (!(error instanceof ExpectedError)) this.#options.onBug(error, `update ${id}`);
    const message =
      error instanceof ExpectedError
        ? error.message
        : "It failed for a reason of the program's own; the log has the details.";
    const status = wasAborted ? "cancelled" : "failed";
    this.#end(id, { status, report: null, error: message });
  }

  async #recover(row: TaskRow): Promise<void> {
    const { takeBack, giveUp, onBug } = this.#options;
    const batch = batchOf(row.id, row.attempts);
    try {
      const why = await takeBack(batch);
      if (why !== null) this.#finish(row.id, await giveUp(this.#input(row), batch, why));
      else if (row.crashes + 1 < MOST_CRASHES) this.#store.resume(row.id, true);
      else {
        const error = `The program ended ${MOST_CRASHES} times while it was running; it is not tried again by itself.`;
        this.#end(row.id, { status: "failed", report: null, error });
      }
    } catch (error) {
      onBug(error, `update ${row.id}`);
      this.#end(row.id, { status: "failed", report: null, error: String(error) });
    }
  }

  /** Its inbox item goes, unless somebody has worked on it. */
  async #clearParked(row: TaskRow): Promise<void> {
    const batch = parkedBatch(row.report) ?? batchOf(row.id, row.attempts);
    if ((await this.#options.takeBack(batch)) === null) return;
    throw new ExpectedError(
      "conflict",
      `${row.id} left something in the inbox that was changed since. Answer it there instead.`,
    );
  }

  #finish(id: string, { status, report }: TaskOutcome<Report>): void {
    this.#end(id, { status, report: JSON.stringify(report), error: null });
  }

  #end(id: string, end: Pick<TaskRow, "status" | "report" | "error">): void {
    this.#store.end(id, end, this.#options.now().getTime());
    this.#tell(id);
  }

  #tell(id: string): void {
    this.#options.onChange(this.get(id));
    for (const wake of this.#waiters.get(id) ?? []) wake();
  }

  #input(row: TaskRow): Input {
    return this.#options.input.parse(JSON.parse(row.input));
  }

  #view(row: TaskRow): TaskView<Input, Report> {
    const time = (at: number | null): string | null =>
      at === null ? null : localTime(new Date(at));
    return {
      id: row.id,
      status: row.status,
      input: this.#input(row),
      created: time(row.created) ?? "",
      started: time(row.started),
      ended: time(row.ended),
      attempts: row.attempts,
      report: row.report === null ? null : this.#options.report.parse(JSON.parse(row.report)),
      error: row.error,
    };
  }
}

/** Leaves a task for whoever owns the vault next. Its id. Any process may; nothing runs here. */
export function leaveTask(state: string, input: unknown, now: Date): string {
  const store = new QueueStore(state);
  try {
    const id = newId(now);
    store.add(id, JSON.stringify(input), now.getTime());
    return id;
  } finally {
    store.close();
  }
}

/** The process ends in good order. */
class Closing extends Error {}

function batchOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

/** The batch a parked task names in its report, if it does. */
function parkedBatch(report: string | null): string | null {
  const kept: unknown = report === null ? null : JSON.parse(report);
  if (typeof kept !== "object" || kept === null || !("batch" in kept)) return null;
  return typeof kept.batch === "string" ? kept.batch : null;
}
