import { mkdirSync, watch, writeFileSync, type FSWatcher } from "node:fs";
import path from "node:path";

/** Milliseconds within which the system must report the write. */
const TIMEOUT = 2000;

/**
 * Tests whether the system still reports changes: writes a file in the state folder and waits for the event, through the same mechanism
 * that watches the vault.
 */
export class Heartbeat {
  readonly #folder: string;
  readonly #now: () => Date;
  #watcher: FSWatcher | null = null;
  #onEvent: (() => void) | null = null;
  #isAlive = false;
  #last: Date | null = null;

  constructor(state: string, now: () => Date) {
    this.#folder = path.join(state, "heartbeat");
    this.#now = now;
  }

  /** Whether the last test passed; false before the first. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** When a test last passed. */
  get last(): Date | null {
    return this.#last;
  }

  /** Tests once. Never throws. */
  async beat(): Promise<void> {
    this.#isAlive = await this.#isReported().catch(() => false);
    if (this.#isAlive) this.#last = this.#now();
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.#onEvent?.();
  }

  async #isReported(): Promise<boolean> {
    this.#watch();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), TIMEOUT);
    this.#onEvent = () => {
      clearTimeout(timer);
      resolve(this.#watcher !== null);
    };
    writeFileSync(path.join(this.#folder, "beat"), this.#now().toISOString(), { mode: 0o600 });
    return promise;
  }

  #watch(): void {
    if (this.#watcher !== null) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const watcher = watch(this.#folder, () => this.#onEvent?.());
    watcher.on("error", () => this.close());
    watcher.unref();
    this.#watcher = watcher;
  }
}
