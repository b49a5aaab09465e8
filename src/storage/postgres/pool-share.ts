import type { ConnectionPool } from "./postgres.ts";

/** What the driver says when nobody gives a connection back in time. */
const NONE_FREE = "timeout exceeded when trying to connect";

/** A part of the connections of a pool: whoever has it waits in its own line when all of them are in use, and leaves the others to others. */
export class PoolShare implements ConnectionPool {
  readonly #pool: ConnectionPool;
  readonly #timeout: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  /**
   * @param most connections at a time
   * @param timeout milliseconds that a call waits for one of them
   */
  constructor(pool: ConnectionPool, most: number, timeout: number) {
    this.#pool = pool;
    this.#free = most;
    this.#timeout = timeout;
  }

  get totalCount(): number {
    return this.#pool.totalCount;
  }

  get idleCount(): number {
    return this.#pool.idleCount;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  async connect(): ReturnType<ConnectionPool["connect"]> {
    await this.#turn();
    try {
      const client = await this.#pool.connect();
      return {
        pipeline: client.pipeline === true,
        query: async (query) => client.query(query),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
        release: (isBroken) => {
          client.release(isBroken);
          this.#next();
        },
      };
    } catch (error) {
      this.#next();
      throw error;
    }
  }

  /** Resolves when one of its connections is free. */
  async #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(turn.resolve);
      turn.reject(new Error(NONE_FREE));
    }, this.#timeout);
    this.#waiting.add(turn.resolve);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives a connection that is free now to whoever waits longest. */
  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  on(event: "error", listener: (error: Error) => void): unknown {
    return this.#pool.on(event, listener);
  }

  /** The pool is closed by whoever opened it. */
  async end(): Promise<void> {}
}
