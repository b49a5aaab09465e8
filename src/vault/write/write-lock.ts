import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import { connect, sqliteProblem } from "../../storage/sqlite.ts";

const PATIENCE = 30_000;

/**
 * One writer at a time per vault, among all processes: two commands that append to one file at the same time must not lose a line.
 *
 * The lock is SQLite's, on an empty database: the system releases it when its holder dies, which a lock file does not do, and Node offers no
 * file locks.
 */
export class WriteLock {
  readonly #folder: string;
  #database: DatabaseSync | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(stateFolder: string) {
    this.#folder = stateFolder;
  }

  /** Runs `work` when it is its turn, first come first served within this process. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      const database = await this.#acquire();
      try {
        return await work();
      } finally {
        database.exec("ROLLBACK");
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #acquire(): Promise<DatabaseSync> {
    this.#database ??= this.#open();
    const started = performance.now();
    for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
      try {
        this.#database.exec("BEGIN EXCLUSIVE");
        return this.#database;
      } catch (error) {
        if (sqliteProblem(error) !== "busy") throw this.#unusable(error);
        if (performance.now() - started > PATIENCE) {
          throw new ExpectedError("busy", "Another process has been writing for 30 s; try again.", {
            cause: error,
          });
        }
      }
      await wait(pause);
    }
  }

  #open(): DatabaseSync {
    try {
      return connect(path.join(this.#folder, "write-lock.sqlite"), { timeout: 0 });
    } catch (error) {
      throw this.#unusable(error);
    }
  }

  #unusable(error: unknown): ExpectedError {
    return new ExpectedError(
      "unavailable",
      `The state folder ${this.#folder} cannot be used, so nothing can be changed safely: ${String(error)}. Replace its write-lock.sqlite by an empty file, or give another folder with --state.`,
      { cause: error },
    );
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }
}
