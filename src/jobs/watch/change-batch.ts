import type { VaultPath } from "../../vault/paths.ts";
import type { WatcherOptions } from "./watcher.ts";

/**
 * The kernel queues 16,384 events for a process that does not read them and drops the rest silently. Node delivers the whole queue
 * at once, however long it was blocked, so a loss shows as a great many events at once. A quarter of the queue leaves room for
 * events that take a place in it and are never delivered.
 */
const BURST = 4096;

const SETTLE = 5;

/** What a watcher reports. Changes are debounced: those since the last report are reported together, a moment after the first event. */
export class ChangeBatch {
  readonly #options: WatcherOptions;
  readonly #beforeReport: () => void;
  #problem: string | null = null;
  #paths = new Set<VaultPath>();
  #events = 0;
  #isBurst = false;
  #timer: NodeJS.Timeout | null = null;
  #isDue = false;
  /** Nothing is reported during the start, while only a part of the tree is known. */
  #isHeld = true;

  /** @param beforeReport called right before changes are reported, to compare with the disk and add to them */
  constructor(options: WatcherOptions, beforeReport: () => void) {
    this.#options = options;
    this.#beforeReport = beforeReport;
  }

  /** Passes on a problem once, and null once when it is over. */
  reportProblem(problem: string | null): void {
    if (problem !== this.#problem) this.#options.onProblem((this.#problem = problem));
  }

  countEvent(): void {
    this.#events += 1;
    this.#arm();
  }

  add(path: VaultPath): void {
    this.#paths.add(path);
    this.#arm();
  }

  markBurst(): void {
    this.#isBurst = true;
    this.#arm();
  }

  /** Starts reporting. */
  release(): void {
    this.#isHeld = false;
    if (this.#isDue) this.#arm();
  }

  /** Discards what was collected. */
  drop(): void {
    this.#paths = new Set();
    this.#events = 0;
    this.#isBurst = false;
  }

  /** Stops reporting, for good. */
  close(): void {
    this.#isHeld = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#isDue = true;
    if (this.#isHeld || this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#report(), this.#options.settle ?? SETTLE);
  }

  #report(): void {
    try {
      this.#beforeReport();
    } finally {
      this.#timer = null;
      this.#isDue = false;
    }
    const changes = { paths: this.#paths, isBurst: this.#isBurst || this.#events > BURST };
    this.drop();
    // A problem reported just now may have made the caller close this.
    if (this.#isHeld) return;
    if (changes.paths.size > 0 || changes.isBurst) this.#options.onChanges(changes);
  }
}
