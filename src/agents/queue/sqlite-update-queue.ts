import { EventEmitter, once } from "node:events";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout } from "node:timers/promises";

import { diskFailure, ExpectedError } from "../../errors.ts";
import { databaseFailure, explainSqlite, openDatabase } from "../../storage/sqlite.ts";
import { newId } from "../../vault/history/history.ts";
import { batchOf } from "../batches.ts";
import type { UpdateInput, UpdateReport, UpdateStatus } from "../contract.ts";
import {
  CRASHED,
  MAX_CRASHES,
  MAX_ENDED,
  QueueClosed,
  removeParked,
  statusOf,
  StoredUpdate,
} from "./queue-rules.ts";
import type { QueueCounts, QueuedUpdate, QueueWork, UpdateQueue } from "./update-queue.ts";

export interface SqliteQueueOptions extends QueueWork {
  /** The vault's state folder. */
  readonly state: string;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, turn INTEGER NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, attempts INTEGER NOT NULL,
    crashes INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, report TEXT, error TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tasks_turn ON tasks (status, turn);
`;

/** Milliseconds between two attempts to write to a disk that is full. */
const WRITE_RETRY = 1000;

/** What one person handed over. */
const OF_ASKER = "json_extract(input, '$.asker.id') = ?";

/** The queue of a vault on this machine, in SQLite: an accepted update survives a power cut. */
export class SqliteUpdateQueue implements UpdateQueue {
  readonly #options: SqliteQueueOptions;
  readonly #database: DatabaseSync;
  /** Emits the id of every update that changed. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #running: { readonly id: string; readonly abort: AbortController } | null = null;
  #working: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(options: SqliteQueueOptions) {
    this.#options = options;
    this.#database = openDatabase({
      file: path.join(options.state, "queue.sqlite"),
      isLasting: true,
      name: "The queue",
      consequence: "so nothing can be taken in",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
      migrations: [SCHEMA],
    });
  }

  async start(): Promise<void> {
    const running = this.#select("WHERE status = 'running' ORDER BY turn");
    for (const update of running) await this.#recover(update);
    this.#wake();
  }

  async add(input: UpdateInput): Promise<QueuedUpdate> {
    const now = this.#options.now();
    const id = newId(now);
    this.#write(
      "INSERT INTO tasks (id, turn, status, input, attempts, crashes, created) VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM tasks), 'waiting', ?, 0, 0, ?)",
      id,
      JSON.stringify(input),
      now.getTime(),
    );
    return this.#queued(id);
  }

  async get(id: string): Promise<QueuedUpdate> {
    return this.#get(id);
  }

  async list(limit = 50, asker?: string): Promise<QueuedUpdate[]> {
    const order = "ORDER BY created DESC, turn DESC LIMIT ?";
    if (asker === undefined) return this.#select(order, limit);
    return this.#select(`WHERE ${OF_ASKER} ${order}`, asker, limit);
  }

  async counts(asker?: string): Promise<QueueCounts> {
    return this.#counts(asker);
  }

  async cancel(id: string): Promise<QueuedUpdate> {
    const { status } = this.#get(id);
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
    this.#end(id, "cancelled", null, "It was cancelled.");
    return this.#get(id);
  }

  async retry(id: string): Promise<QueuedUpdate> {
    const update = this.#get(id);
    const { status } = update;
    if (update.input.connection !== undefined) {
      throw new ExpectedError(
        "conflict",
        `${id} is what a client proposed itself; there is nothing to retry.`,
      );
    }
    if (status !== "failed" && status !== "cancelled" && status !== "parked") {
      throw new ExpectedError("conflict", `${id} is ${status}; there is nothing to retry.`);
    }
    if (status === "parked") await removeParked(update, this.#options.takeBack);
    this.#write(
      "UPDATE tasks SET status = 'waiting', crashes = 0, started = NULL, ended = NULL, report = NULL, error = NULL, turn = (SELECT max(turn) + 1 FROM tasks) WHERE id = ?",
      id,
    );
    return this.#queued(id);
  }

  async previews(): Promise<QueuedUpdate[]> {
    return this.#select("WHERE status = 'preview' ORDER BY turn");
  }

  async propose(id: string, input: UpdateInput, report: UpdateReport): Promise<QueuedUpdate> {
    const now = this.#options.now().getTime();
    this.#write(
      "INSERT INTO tasks (id, turn, status, input, attempts, crashes, created, ended, report) VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM tasks), 'preview', ?, 0, 0, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET input = excluded.input, report = excluded.report, ended = excluded.ended WHERE status = 'preview'",
      id,
      JSON.stringify(input),
      now,
      now,
      JSON.stringify(report),
    );
    this.#changed(id);
    return this.#get(id);
  }

  async decide(id: string, report: UpdateReport | null): Promise<QueuedUpdate> {
    const { status } = this.#get(id);
    if (status !== "preview")
      throw new ExpectedError("conflict", `${id} is ${status}; there is nothing to decide.`);
    if (report === null) this.#end(id, "cancelled", null, "It was rejected.");
    else this.#finish(id, report);
    return this.#get(id);
  }

  async ended(id: string): Promise<QueuedUpdate> {
    for (;;) {
      const update = this.#get(id);
      if (update.status !== "waiting" && update.status !== "running") return update;
      await once(this.#changes, id);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#running?.abort.abort(new QueueClosed());
    await this.#working;
    this.#database.close();
  }

  #write(sql: string, ...values: (string | number | null)[]): void {
    try {
      this.#database.prepare(sql).run(...values);
    } catch (error) {
      throw explainSqlite(error, "The queue", this.#options.state);
    }
  }

  /** Writes what became of an update, when there is room for it. What a closing queue cannot write any more, the next start finds out. */
  async #writeLater(write: () => void): Promise<boolean> {
    for (;;) {
      try {
        write();
        return true;
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error;
        if (this.#closing.signal.aborted) return false;
        const { signal } = this.#closing;
        await setTimeout(WRITE_RETRY, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  #select(rest: string, ...values: (string | number)[]): QueuedUpdate[] {
    const rows = this.#database.prepare(`SELECT * FROM tasks ${rest}`).all(...values);
    return rows.map((row) => StoredUpdate.parse(row));
  }

  /** Throws `not_found`. */
  #get(id: string): QueuedUpdate {
    const [update] = this.#select("WHERE id = ?", id);
    if (update !== undefined) return update;
    throw new ExpectedError("not_found", `There is no update ${JSON.stringify(id)}.`);
  }

  #counts(asker?: string): QueueCounts {
    const of = asker === undefined ? [] : [asker];
    const where = asker === undefined ? "" : ` AND ${OF_ASKER}`;
    const sql = `SELECT count(*) AS count FROM tasks WHERE status = ?${where}`;
    const count = (status: UpdateStatus): number =>
      Number(this.#database.prepare(sql).get(status, ...of)?.["count"]);
    return { waiting: count("waiting"), running: count("running") };
  }

  /** After an update was put into the queue. */
  #queued(id: string): QueuedUpdate {
    this.#changed(id);
    this.#wake();
    return this.#get(id);
  }

  #wake(): void {
    if (this.#closing.signal.aborted || this.#working !== null) return;
    this.#working = this.#work();
  }

  async #work(): Promise<void> {
    // The caller of `add` gets the id before the first event.
    await setImmediate();
    try {
      for (let next = this.#next(); next !== null; next = this.#next()) {
        await this.#run(next);
        this.#running = null;
      }
    } catch (error) {
      this.#options.onBug(error, "the queue");
    } finally {
      this.#running = null;
      // In the same turn as the last check, so that nothing added since is missed.
      this.#working = null;
    }
  }

  #next(): QueuedUpdate | null {
    if (this.#closing.signal.aborted) return null;
    return this.#select("WHERE status = 'waiting' ORDER BY turn LIMIT 1")[0] ?? null;
  }

  async #run({ id, input, attempts }: QueuedUpdate): Promise<void> {
    const { now, run } = this.#options;
    const abort = new AbortController();
    const { signal } = abort;
    this.#running = { id, abort };
    const isStarted = await this.#writeLater(() =>
      this.#write(
        "UPDATE tasks SET status = 'running', started = ?, attempts = attempts + 1 WHERE id = ?",
        now().getTime(),
        id,
      ),
    );
    if (!isStarted) return;
    this.#changed(id);
    let record: () => void;
    try {
      const report = await run(input, { id, batch: batchOf(id, attempts + 1), signal });
      record = () => this.#finish(id, report);
    } catch (error) {
      record = this.#failed(id, signal.aborted ? signal.reason : error, signal.aborted);
    }
    await this.#writeLater(record);
  }

  /** What writes that an update failed, was cancelled, or is to be continued by the next process. */
  #failed(id: string, error: unknown, wasAborted: boolean): () => void {
    if (error instanceof QueueClosed) return () => this.#resume(id, 0);
    const expected =
      error instanceof ExpectedError ? error : (databaseFailure(error) ?? diskFailure(error));
    if (expected === null) this.#options.onBug(error, `update ${id}`);
    const message = expected?.message ?? "Internal error; see the log.";
    return () => this.#end(id, wasAborted ? "cancelled" : "failed", null, message);
  }

  /** Puts an interrupted update back in its old place. */
  #resume(id: string, crashes: number): void {
    this.#write(
      "UPDATE tasks SET status = 'waiting', started = NULL, crashes = crashes + ? WHERE id = ?",
      crashes,
      id,
    );
  }

  async #recover({ id, input, attempts, crashes }: QueuedUpdate): Promise<void> {
    const { takeBack, giveUp, onBug } = this.#options;
    const batch = batchOf(id, attempts);
    try {
      const reason = await takeBack(batch);
      if (reason !== null) this.#finish(id, await giveUp(input, batch, reason));
      else if (crashes + 1 < MAX_CRASHES) this.#resume(id, 1);
      else this.#end(id, "failed", null, CRASHED);
    } catch (error) {
      onBug(error, `update ${id}`);
      this.#end(id, "failed", null, String(error));
    }
  }

  #finish(id: string, report: UpdateReport): void {
    this.#end(id, statusOf(report), report, null);
  }

  #end(id: string, status: UpdateStatus, report: UpdateReport | null, error: string | null): void {
    this.#write(
      "UPDATE tasks SET status = ?, report = ?, error = ?, ended = ? WHERE id = ?",
      status,
      report === null ? null : JSON.stringify(report),
      error,
      this.#options.now().getTime(),
      id,
    );
    this.#write(
      "DELETE FROM tasks WHERE ended IS NOT NULL AND status NOT IN ('preview', 'failed') AND id NOT IN (SELECT id FROM tasks WHERE ended IS NOT NULL ORDER BY ended DESC, turn DESC LIMIT ?)",
      MAX_ENDED,
    );
    this.#changed(id);
  }

  #changed(id: string): void {
    this.#options.onChange(this.#get(id), this.#counts());
    this.#changes.emit(id);
  }
}
