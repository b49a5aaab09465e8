import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

import { ExpectedError, messageOf } from "../../errors.ts";
import { isPassing } from "../../storage/postgres/explain-postgres.ts";
import type { Notices } from "../../storage/postgres/notices.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { newId } from "../../vault/history/history.ts";
import { attemptOf, batchOf } from "../batches.ts";
import type { UpdateInput, UpdateReport, UpdateStatus } from "../contract.ts";
import { CANCELLED, HeldUpdate } from "./held-update.ts";
import { CRASHED, MAX_CRASHES, QueueClosed, removeParked, statusOf } from "./queue-rules.ts";
import { beforeAgain, cutOffBy, untilDone } from "./retry-database.ts";
import type { QueueCounts, QueuedUpdate, QueueWork, UpdateQueue } from "./update-queue.ts";
import { UpdateRows, type ChangedUpdate, type CutOff, type TakenUpdate } from "./update-rows.ts";

/** Milliseconds after which an update of a silent replica is run by another. */
const LEASE = 10_000;
/** Milliseconds between two looks at an update that somebody waits for: what another replica told may have been lost. */
const LOOK = 2000;

export interface PostgresQueueOptions extends QueueWork {
  readonly database: Postgres;
  /** The id of the vault's row. */
  readonly vault: number;
  /** What other replicas tell; left out where there are none. */
  readonly notices?: Pick<Notices, "follow">;
  /** Milliseconds. */
  readonly lease?: number;
}

/**
 * The queue of a vault in PostgreSQL, one of several on it. An update belongs to the queue that runs it for as long as that renews its lease;
 * then another one undoes what it wrote, and runs it again. Whoever opens queues calls {@link wake} when there may be such an update.
 */
export class PostgresUpdateQueue implements UpdateQueue {
  readonly #options: PostgresQueueOptions;
  readonly #rows: UpdateRows;
  readonly #runner = randomUUID();
  readonly #lease: number;
  /** Emits the id of every update that changed. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** What changes are told of, in the order in which they were made. */
  #last: Promise<unknown> = Promise.resolve();
  #running: HeldUpdate | null = null;
  #working: Promise<void> | null = null;
  #isWoken = false;
  readonly #closing = new AbortController();
  readonly #unfollow: () => void;

  constructor(options: PostgresQueueOptions) {
    const { database, vault, lease = LEASE, notices } = options;
    this.#options = options;
    this.#lease = lease;
    this.#rows = new UpdateRows({ database, vault, runner: this.#runner, lease });
    this.#unfollow =
      notices?.follow(vault, ({ kind, text }) => {
        if (kind === "update") void this.#hear(text);
      }) ?? (() => {});
  }

  async start(): Promise<void> {
    for (;;) {
      const cutOff = await this.#take(true);
      if (cutOff === null) break;
      await this.#recover(cutOff.update, { ...cutOff, isOpening: true });
    }
    this.wake();
  }

  async add(input: UpdateInput): Promise<QueuedUpdate> {
    const now = this.#options.now();
    const id = newId(now);
    const update = await this.#change(
      id,
      "INSERT INTO updates (vault, id, status, input, created, asker) VALUES ($1, $2, 'waiting', $3, $4, $5)",
      JSON.stringify(input),
      now.getTime(),
      input.asker?.id ?? null,
    );
    this.wake();
    return update ?? this.get(id);
  }

  async get(id: string): Promise<QueuedUpdate> {
    return this.#rows.get(id);
  }

  async list(limit = 50, asker?: string): Promise<QueuedUpdate[]> {
    const order = "ORDER BY updates.created DESC, turn DESC LIMIT $2";
    if (asker === undefined) return this.#rows.select(order, limit);
    return this.#rows.select(`AND asker = $3 ${order}`, limit, asker);
  }

  async counts(asker?: string): Promise<QueueCounts> {
    return this.#rows.counts(asker);
  }

  async cancel(id: string): Promise<QueuedUpdate> {
    const cancelled = await this.#ended(
      id,
      "UPDATE updates SET status = 'cancelled', error = $4, ended = $3 WHERE vault = $1 AND id = $2 AND status = 'waiting'",
      this.#options.now().getTime(),
      CANCELLED,
    );
    if (cancelled !== null) return cancelled;
    const { status } = await this.get(id);
    if (status !== "running" && status !== "waiting")
      throw new ExpectedError(
        "conflict",
        `${id} has ended (${status}); there is nothing to cancel.`,
      );
    if (this.#running?.id === id) this.#running.cancel();
    else
      await this.#change(
        id,
        "UPDATE updates SET cancelled = true WHERE vault = $1 AND id = $2 AND status = 'running'",
      );
    return this.ended(id);
  }

  async retry(id: string): Promise<QueuedUpdate> {
    const update = await this.get(id);
    const { status } = update;
    if (update.input.connection !== undefined)
      throw new ExpectedError(
        "conflict",
        `${id} is what a client proposed itself; there is nothing to retry.`,
      );
    if (status !== "failed" && status !== "cancelled" && status !== "parked")
      throw new ExpectedError("conflict", `${id} is ${status}; there is nothing to retry.`);
    if (status === "parked") await removeParked(update, this.#options.takeBack);
    const queued = await this.#change(
      id,
      "UPDATE updates SET status = 'waiting', crashes = 0, started = NULL, ended = NULL, report = NULL, error = NULL, turn = nextval('update_turns') WHERE vault = $1 AND id = $2 AND status IN ('failed', 'cancelled', 'parked')",
    );
    this.wake();
    return queued ?? this.get(id);
  }

  async previews(): Promise<QueuedUpdate[]> {
    return this.#rows.select("AND status = 'preview' ORDER BY turn");
  }

  async propose(id: string, input: UpdateInput, report: UpdateReport): Promise<QueuedUpdate> {
    const proposed = await this.#change(
      id,
      "INSERT INTO updates (vault, id, status, input, created, ended, report) VALUES ($1, $2, 'preview', $3, $4, $4, $5) ON CONFLICT (vault, id) DO UPDATE SET input = excluded.input, report = excluded.report, ended = excluded.ended WHERE updates.status = 'preview'",
      JSON.stringify(input),
      this.#options.now().getTime(),
      JSON.stringify(report),
    );
    return proposed ?? this.get(id);
  }

  async decide(id: string, report: UpdateReport | null): Promise<QueuedUpdate> {
    const [status, error] =
      report === null ? (["cancelled", "It was rejected."] as const) : [statusOf(report), null];
    const decided = await this.#ended(
      id,
      "UPDATE updates SET status = $3, report = $4, error = $5, ended = $6 WHERE vault = $1 AND id = $2 AND status = 'preview'",
      status,
      report === null ? null : JSON.stringify(report),
      error,
      this.#options.now().getTime(),
    );
    if (decided !== null) return decided;
    const { status: found } = await this.get(id);
    throw new ExpectedError("conflict", `${id} is ${found}; there is nothing to decide.`);
  }

  async ended(id: string): Promise<QueuedUpdate> {
    for (;;) {
      const look = new AbortController();
      const onChange = (): void => look.abort();
      this.#changes.once(id, onChange);
      try {
        const update = await this.get(id);
        if (update.status !== "waiting" && update.status !== "running") return update;
        await pause(LOOK, undefined, { signal: look.signal, ref: false }).catch(() => {});
      } finally {
        this.#changes.off(id, onChange);
      }
    }
  }

  /** There may be something to run, or to recover. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isWoken = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      if (this.#isWoken) this.wake();
    });
  }

  /**
   * Throws `conflict` for a change of an attempt that is no longer this queue's, and for what that would put into the inbox. To be called in the
   * transaction of the change. An undo is not asked: nobody but that attempt has its batch, and it only takes away what that wrote.
   */
  async checkOwn(batch: string): Promise<void> {
    const found = attemptOf(batch);
    if (found !== null) await this.#rows.checkOwn(found.id, found.attempt);
  }

  async close(): Promise<void> {
    this.#unfollow();
    this.#closing.abort();
    this.#running?.abort(new QueueClosed());
    await this.#working;
    await this.#last;
  }

  /** Runs after what was begun before it, so that listeners are told in the order of the changes. */
  async #inTurn<T extends ChangedUpdate>(work: () => Promise<T | null>): Promise<T | null> {
    const turn = this.#last.then(work).then((changed) => {
      if (changed !== null) this.#options.database.afterCommit(() => this.#tell(changed));
      return changed;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #tell({ update, counts }: ChangedUpdate): void {
    this.#options.onChange(update, counts);
    this.#changes.emit(update.id);
  }

  async #change(
    id: string,
    sql: string,
    ...values: readonly unknown[]
  ): Promise<QueuedUpdate | null> {
    const changed = await this.#inTurn(async () => this.#rows.change(id, sql, ...values));
    return changed?.update ?? null;
  }

  async #ended(
    id: string,
    sql: string,
    ...values: readonly unknown[]
  ): Promise<QueuedUpdate | null> {
    const changed = await this.#inTurn(async () => this.#rows.end(id, sql, ...values));
    return changed?.update ?? null;
  }

  async #take(isRecovering: boolean): Promise<TakenUpdate | null> {
    return this.#inTurn(async () => this.#rows.take(isRecovering, this.#options.now().getTime()));
  }

  /** Another replica changed an update. */
  async #hear(text: string): Promise<void> {
    const [id = "", runner = ""] = text.split(" ");
    if (runner === this.#runner) return;
    try {
      await this.#inTurn(async () => ({
        update: await this.#rows.get(id),
        counts: await this.#rows.counts(),
      }));
      if (this.#running?.id === id) await this.#running.beat();
    } catch {
      // It is gone, or the database is: whoever waits for it looks again.
    }
    this.wake();
  }

  async #work(): Promise<void> {
    while (this.#isWoken && !this.#closing.signal.aborted) {
      this.#isWoken = false;
      try {
        for (;;) {
          const next = this.#closing.signal.aborted ? null : await this.#take(false);
          if (next === null) break;
          if (next.wasCutOff) await this.#recover(next.update, next);
          else await this.#run(next.update);
        }
      } catch (error) {
        // A database that does not answer is asked again when somebody wakes the queue.
        if (!(error instanceof ExpectedError)) this.#options.onBug(error, "the queue");
      }
    }
  }

  async #run(update: QueuedUpdate): Promise<void> {
    const { id, input, attempts } = update;
    const found = await this.#holding(id, async (held): Promise<CutOff | null> => {
      const { signal } = held;
      try {
        const { run } = this.#options;
        const report = await run(input, { id, batch: batchOf(id, attempts), signal });
        await this.#record(held, statusOf(report), report, null);
      } catch (error) {
        const cause: unknown = signal.aborted ? signal.reason : error;
        const isClosed = cause instanceof QueueClosed;
        if (held.isLost) return null;
        // What it wrote may still be there, also when it was cancelled.
        const cutOff = cutOffBy(error, attempts, signal.aborted && !isClosed);
        if (cutOff !== null) return cutOff;
        const status = signal.aborted ? "cancelled" : "failed";
        if (isClosed) await this.#resume(id, 0);
        else await this.#record(held, status, null, this.#messageOf(id, cause));
      }
      return null;
    });
    if (found !== null) await this.#recover(update, found);
  }

  #messageOf(id: string, error: unknown): string {
    if (error instanceof ExpectedError) return error.message;
    this.#options.onBug(error, `update ${id}`);
    return "Internal error; see the log.";
  }

  async #holding<T>(id: string, work: (held: HeldUpdate) => Promise<T>): Promise<T> {
    const held = new HeldUpdate(this.#rows, id, this.#lease);
    this.#running = held;
    try {
      // Closed since it was taken.
      if (this.#closing.signal.aborted) held.abort(new QueueClosed());
      return await work(held);
    } finally {
      held.release();
      this.#running = null;
    }
  }

  /** Undoes what a cut-off attempt wrote, and begins it again; or ends it, when that cannot help. */
  async #recover(update: QueuedUpdate, cutOff: CutOff): Promise<void> {
    const { id, input, attempts, crashes } = update;
    const { isCrash, isCancelled = false, isOpening = false } = cutOff;
    const { takeBack, giveUp, onBug } = this.#options;
    const batch = batchOf(id, attempts);
    await this.#holding(id, async (held) => {
      const inspect = async (): Promise<UpdateReport | null> => {
        const reason = await takeBack(batch);
        return reason === null ? null : giveUp(input, batch, reason);
      };
      try {
        const mayPass = (error: unknown): boolean =>
          !isOpening && isPassing(error) && this.#isOurs(held);
        const report = await untilDone(inspect, this.#closing.signal, mayPass);
        if (report !== null) return await this.#record(held, statusOf(report), report, null);
        if (!isCrash && !isCancelled && !isOpening) await beforeAgain(attempts, held.signal);
        if (held.isLost) return;
        const isStopped = held.signal.aborted && !this.#closing.signal.aborted;
        if (isCancelled || isStopped) await this.#record(held, "cancelled", null, CANCELLED);
        else if (!isCrash) await this.#resume(id, 0);
        else if (crashes + 1 < MAX_CRASHES) await this.#resume(id, 1);
        else await this.#record(held, "failed", null, CRASHED);
      } catch (error) {
        const code = error instanceof ExpectedError ? error.code : null;
        // Its lease ends, and it is tried again.
        if (code !== null && code !== "conflict" && code !== "no_permission") return;
        if (code !== "no_permission") onBug(error, `update ${id}`);
        await this.#record(held, "failed", null, messageOf(error));
      }
    });
  }

  /** Writes what became of an update that is still ours, as soon as the database answers. What a closing queue cannot write, another finds out. */
  async #record(
    held: HeldUpdate,
    status: UpdateStatus,
    report: UpdateReport | null,
    error: string | null,
  ): Promise<void> {
    const record = async (): Promise<QueuedUpdate | null> =>
      this.#ended(
        held.id,
        "UPDATE updates SET status = $3, report = $4, error = $5, ended = $6, runner = NULL, lease = NULL WHERE vault = $1 AND id = $2 AND status = 'running' AND runner = $7",
        status,
        report === null ? null : JSON.stringify(report),
        error,
        this.#options.now().getTime(),
        this.#runner,
      );
    const mayPass = (failure: unknown): boolean =>
      failure instanceof ExpectedError && this.#isOurs(held);
    await untilDone(record, this.#closing.signal, mayPass);
  }

  #isOurs(held: HeldUpdate): boolean {
    return !held.isLost && !this.#closing.signal.aborted;
  }

  /** Puts an interrupted update back in its old place. */
  async #resume(id: string, crashes: number): Promise<void> {
    await this.#change(
      id,
      "UPDATE updates SET status = 'waiting', started = NULL, crashes = crashes + $3, runner = NULL, lease = NULL WHERE vault = $1 AND id = $2 AND status = 'running' AND runner = $4",
      crashes,
      this.#runner,
    );
  }
}
