/** Milliseconds between two reports. */
const INTERVAL = 200;

type Listener = (done: number, total: number) => void;

/** How far the reading of many files is: of those that were to be read since there were none. */
export class BulkProgress {
  readonly #remaining: () => number;
  readonly #listeners = new Set<Listener>();
  #total = 0;
  #told = 0;

  constructor(remaining: () => number) {
    this.#remaining = remaining;
  }

  listen(listener: Listener): () => void {
    // A function for each call: the same listener may be added twice.
    const own: Listener = (done, total) => listener(done, total);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Call it after some were read. */
  tell(): void {
    const remaining = this.#remaining();
    this.#total = Math.max(this.#total, remaining);
    const now = performance.now();
    if (remaining > 0 && now - this.#told < INTERVAL) return;
    this.#told = now;
    const total = this.#total;
    if (remaining === 0) this.#total = 0;
    if (total > 0) for (const listener of this.#listeners) listener(total - remaining, total);
  }
}
