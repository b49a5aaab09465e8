import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import { SameFile } from "../../storage/same-file.ts";
import { connect, isDiskFull, sqliteProblem } from "../../storage/sqlite.ts";

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
  #file: SameFile | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(stateFolder: string) {
    this.#folder = stateFolder;
  }

  /** Why the lock protects nothing any more: others lock another file. Null while it does. */
  problem(): string | null {
    if (this.#file === null || this.#file.isThere) return null;
    return `The state folder ${this.#folder} was removed or replaced while it was in use, so nothing is written any more. Stop this program and start it again.`;
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
    const started = performance.now();
    for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
      try {
        const file = path.join(this.#folder, "write-lock.sqlite");
        this.#database ??= connect(file, { timeout: 0 });
        this.#file ??= new SameFile(file);
        this.#database.exec("BEGIN EXCLUSIVE");
        return this.#database;
      } catch (error) {
        if (error instanceof ExpectedError) throw error;
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

  #unusable(error: unknown): ExpectedError {
    if (isDiskFull(error, this.#folder)) {
      return new ExpectedError(
        "disk_full",
        `The disk of the state folder ${this.#folder} is full, so nothing can be changed safely: ${String(error)}. Free some space, or give another folder with --state.`,
        { cause: error },
      );
    }
    return new ExpectedError(
      "unavailable",
      `The state folder ${this.#folder} cannot be used, so nothing can be changed safely: ${String(error)}. Replace its write-lock.sqlite by an empty file, or give another folder with --state.`,
      { cause: error },
    );
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
    this.#file = null;
  }
}
