import { mkdirSync, watch, writeFileSync, type FSWatcher } from "node:fs";
import path from "node:path";

const PATIENCE = 2000;

/**
 * Proves that the system still tells of changes: writes a file in the state folder and waits to hear of it, through the same
 * machinery that watches the vault.
 */
export class Heartbeat {
  readonly #folder: string;
  readonly #now: () => Date;
  #watcher: FSWatcher | null = null;
  #heard: (() => void) | null = null;
  #last: Date | null = null;

  constructor(state: string, now: () => Date) {
    this.#folder = path.join(state, "heartbeat");
    this.#now = now;
  }

  /** When a beat was last heard. */
  get last(): Date | null {
    return this.#last;
  }

  /** Beats once; true when it was heard. */
  async beat(): Promise<boolean> {
    try {
      this.#listen();
      const heard = new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), PATIENCE);
        timer.unref();
        this.#heard = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      writeFileSync(path.join(this.#folder, "beat"), this.#now().toISOString());
      const isAlive = await heard;
      if (isAlive) this.#last = this.#now();
      return isAlive;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  #listen(): void {
    if (this.#watcher !== null) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const watcher = watch(this.#folder, () => this.#heard?.());
    watcher.on("error", () => this.close());
    watcher.unref();
    this.#watcher = watcher;
  }
}
