import { AsyncLocalStorage } from "node:async_hooks";

import { explainPostgres, isLost, rolledBack, uncertainCommit } from "./explain-postgres.ts";
import { loadPg } from "./load-pg.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./schema.ts";

/** A row, its columns by name. */
export type Row = Readonly<Record<string, unknown>>;

export interface PostgresOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string;
  /** Connections of this process, at most. */
  readonly connections?: number;
  /** Milliseconds after which a statement is given up, so that one vault cannot keep the others waiting. */
  readonly statementTimeout?: number;
  /** Milliseconds that a statement waits for the lock of another change. */
  readonly lockTimeout?: number;
  /** Milliseconds after which a change that does nothing loses its lock. */
  readonly idleTimeout?: number;
}

const DEFAULTS = {
  connections: 10,
  statementTimeout: 30_000,
  lockTimeout: 20_000,
  idleTimeout: 60_000,
};
const CONNECTING = 10_000;

interface Result {
  readonly command: string;
  readonly rows: Row[];
  readonly rowCount: number | null;
}

interface Connection {
  query(sql: string, values: unknown[]): Promise<Result>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(isBroken: boolean): void;
}

/** What is used of the driver's pool: whoever reads our types need not have the driver. */
export interface ConnectionPool {
  query(sql: string, values: unknown[]): Promise<Result>;
  connect(): Promise<Connection>;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** A transaction on its connection. */
class Transaction {
  readonly client: Connection;
  /** What is called from its work, and comes later than its end, does not belong to it. */
  isOver = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: Connection) {
    this.client = client;
  }

  /** One query after the other, as the driver wants it. */
  async query(sql: string, values: readonly unknown[]): Promise<Result> {
    const turn = this.#last.then(async () => this.client.query(sql, [...values]));
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** The transaction, or the savepoint in it, that the present calls belong to. */
interface Level {
  readonly transaction: Transaction;
  readonly depth: number;
  /** Ends when the last savepoint directly in it does: savepoints of one transaction cannot overlap. */
  last: Promise<unknown>;
}

/**
 * A PostgreSQL database with its connections. Within the work of a transaction every query belongs to it, whoever makes it: so a change reads
 * what it has written, and never needs a second connection.
 */
export class Postgres {
  readonly #pool: ConnectionPool;
  readonly #level = new AsyncLocalStorage<Level>();

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
    // An idle connection that dies is replaced by the pool; without a listener its error would end the process.
    pool.on("error", () => {});
  }

  /** How many connections there are, how many of them nobody uses, and how many calls wait for one. */
  get connections(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { total, idle, waiting };
  }

  /** Whether the caller is within a transaction. */
  get isInTransaction(): boolean {
    return this.#current !== undefined;
  }

  get #current(): Level | undefined {
    const level = this.#level.getStore();
    return level === undefined || level.transaction.isOver ? undefined : level;
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#run(sql, values);
    return rows;
  }

  /** The first row; null when there is none. */
  async one(sql: string, values: readonly unknown[] = []): Promise<Row | null> {
    const [row] = await this.query(sql, values);
    return row ?? null;
  }

  /** How many rows a statement changed. */
  async execute(sql: string, values: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.#run(sql, values);
    return rowCount ?? 0;
  }

  async #run(sql: string, values: readonly unknown[]): Promise<Result> {
    const transaction = this.#current?.transaction;
    try {
      if (transaction !== undefined) return await transaction.query(sql, values);
      return await this.#pool.query(sql, [...values]);
    } catch (error) {
      throw explainPostgres(error);
    }
  }

  /** Runs `work` as one transaction: all of it is kept, or nothing when it throws. Within another one, it is a part of that which can fail alone. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const level = this.#current;
    if (level === undefined) return this.#whole(work);
    const part = level.last.then(async () => this.#part(level, work));
    level.last = part.catch(() => {});
    return part;
  }

  async #whole<T>(work: () => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const transaction = new Transaction(client);
    const level = { transaction, depth: 0, last: Promise.resolve() };
    let broken: unknown;
    const onError = (error: unknown): void => {
      broken = error;
    };
    client.on("error", onError);
    let isCommitting = false;
    try {
      await transaction.query("BEGIN", []);
      const value = await this.#level.run(level, work);
      transaction.isOver = true;
      isCommitting = true;
      const { command } = await transaction.query("COMMIT", []);
      // A statement failed, and the work went on as if it had not.
      if (command !== "COMMIT") throw rolledBack();
      return value;
    } catch (error) {
      transaction.isOver = true;
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      if (isLost(cause) || broken !== undefined) broken ??= cause;
      else if (!isCommitting) await transaction.query("ROLLBACK", []).catch(onError);
      throw isCommitting && broken !== undefined ? uncertainCommit(error) : explainPostgres(error);
    } finally {
      client.off("error", onError);
      client.release(broken !== undefined);
    }
  }

  async #part<T>({ transaction, depth }: Level, work: () => Promise<T>): Promise<T> {
    const name = `part_${depth + 1}`;
    const inner = { transaction, depth: depth + 1, last: Promise.resolve() };
    await this.#run(`SAVEPOINT ${name}`, []);
    try {
      const value = await this.#level.run(inner, work);
      await this.#run(`RELEASE SAVEPOINT ${name}`, []);
      return value;
    } catch (error) {
      await this.#run(`ROLLBACK TO SAVEPOINT ${name}`, []).catch(() => {});
      throw error;
    }
  }

  async #connect(): Promise<Connection> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw explainPostgres(error);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * Connects to a database and brings its schema up to date; several processes may do so at once.
 * @throws ExpectedError `unavailable` when it cannot be reached, or was written by a newer release
 */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  const { Pool } = await loadPg();
  const { connections, statementTimeout, lockTimeout, idleTimeout } = { ...DEFAULTS, ...options };
  const pool = new Pool({
    connectionString: options.url,
    max: connections,
    connectionTimeoutMillis: CONNECTING,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    keepAlive: true,
    application_name: "coffre",
    allowExitOnIdle: true,
  });
  const database = new Postgres(pool);
  try {
    await migrate(database, MIGRATIONS);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
