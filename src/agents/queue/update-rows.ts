import { ExpectedError } from "../../errors.ts";
import { noticeText, NOTIFY } from "../../storage/postgres/notices.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { MAX_ENDED, StoredUpdate } from "./queue-rules.ts";
import type { QueueCounts, QueuedUpdate } from "./update-queue.ts";

/** The first key of the advisory locks under which an update of a vault is taken; the second is the vault. */
const TAKING = 7_263_332;

const COLUMNS =
  "id, status, input, attempts, crashes, created::float8, started::float8, ended::float8, report, error";

/** What a change of a row left. */
export interface ChangedUpdate {
  readonly update: QueuedUpdate;
  readonly counts: QueueCounts;
}

/** Why an attempt did not end. */
export interface CutOff {
  /** Whether the update itself may be the cause, and not that the database was away: after some of these it is not begun again. */
  readonly isCrash: boolean;
  readonly isCancelled?: boolean;
  /** Whether somebody waits for the vault to be opened: what cannot be recovered at once is recovered when its lease has ended. */
  readonly isOpening?: boolean;
}

/** One that was taken: to be run, or to be recovered because its runner was silent for longer than its lease. */
export interface TakenUpdate extends ChangedUpdate, CutOff {
  readonly wasCutOff: boolean;
}

export interface UpdateRowsOptions {
  readonly database: Postgres;
  /** The id of the vault's row. */
  readonly vault: number;
  /** Identifies the queue that runs updates. */
  readonly runner: string;
  /** Milliseconds for which an update belongs to its runner without a word from it. */
  readonly lease: number;
}

/** The updates of one vault as rows in PostgreSQL, as one of several queues sees and changes them. */
export class UpdateRows {
  readonly #database: Postgres;
  readonly #vault: number;
  readonly #runner: string;
  readonly #until: string;

  constructor({ database, vault, runner, lease }: UpdateRowsOptions) {
    this.#database = database;
    this.#vault = vault;
    this.#runner = runner;
    this.#until = `now() + interval '${Math.ceil(lease)} milliseconds'`;
  }

  /** @param rest what follows in the statement; `$1` is the vault */
  async select(rest: string, ...values: readonly unknown[]): Promise<QueuedUpdate[]> {
    const sql = `SELECT ${COLUMNS} FROM updates WHERE vault = $1 ${rest}`;
    const rows = await this.#database.query(sql, [this.#vault, ...values]);
    return rows.map((row) => StoredUpdate.parse(row));
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<QueuedUpdate> {
    const [update] = await this.select("AND id = $2", id);
    if (update !== undefined) return update;
    throw new ExpectedError("not_found", `There is no update ${JSON.stringify(id)}.`);
  }

  async counts(asker: string | null = null): Promise<QueueCounts> {
    const row = await this.#database.one(
      "SELECT count(*) FILTER (WHERE status = 'waiting')::integer AS waiting, count(*) FILTER (WHERE status = 'running')::integer AS running FROM updates WHERE vault = $1 AND status IN ('waiting', 'running') AND ($2::text IS NULL OR asker = $2)",
      [this.#vault, asker],
    );
    return { waiting: Number(row?.["waiting"]), running: Number(row?.["running"]) };
  }

  /** Runs a statement that changes one update, and tells the other replicas; null when it changed none. */
  async change(
    id: string,
    sql: string,
    ...values: readonly unknown[]
  ): Promise<ChangedUpdate | null> {
    return this.#database.transaction(async () => {
      if ((await this.#database.execute(sql, [this.#vault, id, ...values])) === 0) return null;
      return this.#told(id);
    });
  }

  async #told(id: string): Promise<ChangedUpdate> {
    const text = `${id} ${this.#runner}`;
    await this.#database.query(NOTIFY, [noticeText({ vault: this.#vault, kind: "update", text })]);
    return { update: await this.get(id), counts: await this.counts() };
  }

  /** The same for one that ends; the oldest that ended are removed. */
  async end(id: string, sql: string, ...values: readonly unknown[]): Promise<ChangedUpdate | null> {
    return this.#database.transaction(async () => {
      const changed = await this.change(id, sql, ...values);
      if (changed === null) return null;
      await this.#database.execute(
        "DELETE FROM updates WHERE vault = $1 AND ended IS NOT NULL AND status NOT IN ('preview', 'failed') AND id NOT IN (SELECT id FROM updates WHERE vault = $1 AND ended IS NOT NULL ORDER BY ended DESC, turn DESC LIMIT $2)",
        [this.#vault, MAX_ENDED],
      );
      return changed;
    });
  }

  /**
   * Takes the one whose runner is silent for longer than its lease, to recover it; else the next that waits, unless one is running or a folder is
   * being imported, which nothing may change meanwhile. Null when there is nothing to do.
   */
  async take(isRecovering: boolean, now: number): Promise<TakenUpdate | null> {
    return this.#database.transaction(async () => {
      await this.#database.query("SELECT pg_advisory_xact_lock($1, $2)", [TAKING, this.#vault]);
      const cutOff = await this.#database.one(
        `UPDATE updates AS u SET runner = $2, lease = ${this.#until} FROM (SELECT id, lease >= pg_postmaster_start_time() AS crash FROM updates WHERE vault = $1 AND status = 'running' AND lease < now()) AS silent WHERE u.vault = $1 AND u.id = silent.id AND u.status = 'running' AND u.lease < now() RETURNING u.id, silent.crash`,
        [this.#vault, this.#runner],
      );
      if (cutOff !== null) {
        const changed = await this.#told(String(cutOff["id"]));
        return { ...changed, wasCutOff: true, isCrash: cutOff["crash"] === true };
      }
      if (isRecovering) return null;
      const next = await this.#database.one(
        `UPDATE updates SET status = 'running', started = $3, attempts = attempts + 1, cancelled = false, runner = $2, lease = ${this.#until} WHERE vault = $1 AND id = (SELECT id FROM updates WHERE vault = $1 AND status = 'waiting' ORDER BY turn LIMIT 1) AND NOT EXISTS (SELECT 1 FROM updates WHERE vault = $1 AND status = 'running') AND NOT EXISTS (SELECT 1 FROM vaults WHERE id = $1 AND importing IS NOT NULL) RETURNING id`,
        [this.#vault, this.#runner, now],
      );
      if (next === null) return null;
      return { ...(await this.#told(String(next["id"]))), wasCutOff: false, isCrash: false };
    });
  }

  /** Says that the runner lives: whether the update is still its own, and whether somebody cancelled it. */
  async beat(id: string): Promise<"own" | "cancelled" | "lost"> {
    const row = await this.#database.one(
      `UPDATE updates SET lease = ${this.#until} WHERE vault = $1 AND id = $2 AND runner = $3 AND status = 'running' RETURNING cancelled`,
      [this.#vault, id, this.#runner],
    );
    if (row === null) return "lost";
    return row["cancelled"] === true ? "cancelled" : "own";
  }

  /**
   * Throws `conflict` for a change of an attempt that is not, or no longer, what this queue runs: another replica may have taken it over, and may
   * even be done with it. To be called in the transaction of the change.
   */
  async checkOwn(id: string, attempt: number): Promise<void> {
    const row = await this.#database.one(
      "SELECT 1 FROM updates WHERE vault = $1 AND id = $2 AND attempts = $3 AND status = 'running' AND runner = $4",
      [this.#vault, id, attempt, this.#runner],
    );
    if (row !== null) return;
    throw new ExpectedError(
      "conflict",
      `${id} was taken over by another replica, because this one was silent for too long. Nothing was changed.`,
    );
  }
}
