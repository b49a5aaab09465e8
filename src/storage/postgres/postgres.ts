import { AsyncLocalStorage } from "node:async_hooks";

import { explainPostgres, isLost, rolledBack, uncertainCommit } from "./explain-postgres.ts";
import { loadPg } from "./load-pg.ts";
import { migrate } from "./migrate.ts";
import { PoolShare } from "./pool-share.ts";
import { MIGRATIONS } from "./schema.ts";

/** A row, its columns by name. */
export type Row = Readonly<Record<string, unknown>>;

export interface PostgresOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string;
  /** Connections of this process, at most. */
  readonly connections?: number;
  /** Milliseconds that a call waits for a connection when all are in use. */
  readonly connectTimeout?: number;
  /** Milliseconds after which a statement is given up, so that one vault cannot keep the others waiting. */
  readonly statementTimeout?: number;
  /** Milliseconds that a statement waits for the lock of another change. */
  readonly lockTimeout?: number;
  /** Milliseconds after which a change that does nothing loses its lock. */
  readonly idleTimeout?: number;
}

const DEFAULTS = {
  connections: 10,
  connectTimeout: 10_000,
  statementTimeout: 30_000,
  lockTimeout: 20_000,
  idleTimeout: 60_000,
};

/** How many connections a pool has, and how long a call waits for one. */
type PoolLimits = Readonly<Required<Pick<PostgresOptions, "connections" | "connectTimeout">>>;

interface Result {
  readonly command: string;
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** A statement as the driver takes it; one with a name is parsed and planned once for each connection. */
interface DriverQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
}

interface Connection {
  /** Whether it sends queries without waiting for the answers to those before; a driver older than 8.20 cannot. */
  readonly pipeline?: boolean;
  query(query: DriverQuery): Promise<Result>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  release(isBroken: boolean): void;
}

/** What is used of the driver's pool: whoever reads our types need not have the driver. */
export interface ConnectionPool {
  connect(): Promise<Connection>;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** A statement with its values. */
export type Statement = readonly [sql: string, values: readonly unknown[]];

/** Statements that a connection keeps prepared, at most: each takes memory in the server. */
const MOST_PREPARED = 300;

/** Names of statements that are the same in every connection. */
class StatementNames {
  readonly #names = new Map<string, string>();

  queryOf(text: string, values: readonly unknown[]): DriverQuery {
    const plain = { text, values: [...values] };
    // Without values it is a BEGIN or a migration, and may be several statements.
    if (values.length === 0) return plain;
    const known = this.#names.get(text);
    if (known !== undefined) return { ...plain, name: known };
    if (this.#names.size >= MOST_PREPARED) return plain;
    const name = `coffre_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return { ...plain, name };
  }
}

/** A connection in use. Queries are sent at once and answered in their order. */
class Sender {
  readonly client: Connection;
  readonly #names: StatementNames;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: Connection, names: StatementNames) {
    this.client = client;
    this.#names = names;
  }

  async query(sql: string, values: readonly unknown[]): Promise<Result> {
    const query = this.#names.queryOf(sql, values);
    if (this.client.pipeline === true) return this.client.query(query);
    const turn = this.#last.then(async () => this.client.query(query));
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** A transaction on its connection. */
class Transaction extends Sender {
  /** What is called from its work, and comes later than its end, does not belong to it. */
  isOver = false;
  /** Why a statement failed that nobody waited for: the transaction cannot be kept. */
  failure: { readonly error: unknown } | null = null;
  /** Called once it is kept; those of a part that is given up are dropped with it. */
  readonly whenKept: (() => void)[] = [];
  readonly #unanswered = new Set<Promise<unknown>>();

  /** Sends a statement whose answer nobody needs. */
  send(sql: string, values: readonly unknown[]): void {
    const sent: Promise<unknown> = this.query(sql, values)
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.#unanswered.delete(sent));
    this.#unanswered.add(sent);
  }

  async answered(): Promise<void> {
    await Promise.all(this.#unanswered);
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
  readonly #level: AsyncLocalStorage<Level>;
  readonly #names: StatementNames;
  readonly #limits: PoolLimits;

  /** @param whole the database of whose connections these are a part: its transactions are those of both */
  constructor(pool: ConnectionPool, limits: PoolLimits, whole?: Postgres) {
    this.#pool = pool;
    this.#limits = limits;
    this.#level = whole === undefined ? new AsyncLocalStorage() : whole.#level;
    this.#names = whole === undefined ? new StatementNames() : whole.#names;
    // An idle connection that dies is replaced by the pool; without a listener its error would end the process.
    if (whole === undefined) pool.on("error", () => {});
  }

  /** The same database for one of several that use it, who never takes more than a part of its connections. */
  share(part: number): Postgres {
    const { connections, connectTimeout } = this.#limits;
    const most = Math.max(1, Math.floor(connections * part));
    return new Postgres(new PoolShare(this.#pool, most, connectTimeout), this.#limits, this);
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

  /** Several statements in one round trip, answered in their order; each sees what was committed when it began. */
  async all(statements: readonly Statement[]): Promise<Row[][]> {
    if (statements.length === 0) return [];
    const results = await this.#with(async (sender) =>
      Promise.all(statements.map(async ([sql, values]) => sender.query(sql, values))),
    );
    return results.map(({ rows }) => rows);
  }

  /**
   * Sends a statement of the present transaction without waiting for its answer. What comes after it sees what it did; when it fails, nothing
   * of the transaction is kept.
   */
  send(sql: string, values: readonly unknown[] = []): void {
    const transaction = this.#current?.transaction;
    if (transaction === undefined) throw new Error("only a transaction can send without waiting");
    transaction.send(sql, values);
  }

  /** Calls `listener` when what the present transaction did is kept, and never when it is not; at once outside of one. */
  afterCommit(listener: () => void): void {
    const transaction = this.#current?.transaction;
    if (transaction === undefined) listener();
    else transaction.whenKept.push(listener);
  }

  async #run(sql: string, values: readonly unknown[]): Promise<Result> {
    return this.#with(async (sender) => sender.query(sql, values));
  }

  /** Runs on the connection of the present transaction, or on one that is free. */
  async #with<T>(use: (sender: Sender) => Promise<T>): Promise<T> {
    const transaction = this.#current?.transaction;
    if (transaction === undefined) return this.#alone(use);
    try {
      return await use(transaction);
    } catch (error) {
      // What fails after another statement did says only that.
      await transaction.answered();
      throw explainPostgres(transaction.failure?.error ?? error);
    }
  }

  async #alone<T>(use: (sender: Sender) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken: unknown;
    const onError = (error: unknown): void => {
      broken = error;
    };
    client.on("error", onError);
    try {
      return await use(new Sender(client, this.#names));
    } catch (error) {
      if (isLost(error)) broken ??= error;
      throw explainPostgres(error);
    } finally {
      client.off("error", onError);
      client.release(broken !== undefined);
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
    const transaction = new Transaction(client, this.#names);
    const level = { transaction, depth: 0, last: Promise.resolve() };
    let broken: unknown;
    const onError = (error: unknown): void => {
      broken = error;
    };
    client.on("error", onError);
    let isCommitting = false;
    try {
      // It is sent together with the first statement of the work.
      transaction.send("BEGIN", []);
      const value = await this.#level.run(level, work);
      transaction.isOver = true;
      isCommitting = true;
      const { command } = await transaction.query("COMMIT", []);
      await transaction.answered();
      // A statement failed, and the work went on as if it had not.
      if (command !== "COMMIT") throw transaction.failure?.error ?? rolledBack();
      for (const listener of transaction.whenKept) listener();
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
    const kept = transaction.whenKept.length;
    transaction.send(`SAVEPOINT ${name}`, []);
    try {
      const value = await this.#level.run(inner, work);
      transaction.send(`RELEASE SAVEPOINT ${name}`, []);
      return value;
    } catch (error) {
      transaction.whenKept.length = kept;
      await transaction.query(`ROLLBACK TO SAVEPOINT ${name}`, []).then(
        // What was sent in the part is gone with it, and so is the reason of its failure.
        () => (transaction.failure = null),
        () => {},
      );
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
  const given = { ...DEFAULTS, ...options };
  const { connections, connectTimeout, statementTimeout, lockTimeout, idleTimeout } = given;
  const settings = {
    connectionString: options.url,
    pipeline: true,
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    // A plan for any words would read common ones as if they were rare; planning takes less than that.
    options: "-c plan_cache_mode=force_custom_plan",
    keepAlive: true,
    application_name: "coffre",
    allowExitOnIdle: true,
  };
  const pool = new Pool(settings);
  const database = new Postgres(pool, { connections, connectTimeout });
  try {
    await migrate(database, MIGRATIONS);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
