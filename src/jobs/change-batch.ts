import type { VaultPath } from "../vault/paths.ts";
import type { WatchedChanges } from "./watch/watcher.ts";

/**
 * The kernel keeps 16,384 events for a process that does not read them and drops the rest without a word. Node hands
 * over all that is kept in one go, however long it was blocked, so a loss shows as a great many events at once. A
 * quarter of the queue leaves room for what takes a place in it and never reaches us.
 */
const BURST = 4096;

const SETTLE = 5;

export interface ChangeBatchOptions {
  readonly settle: number | undefined;
  /** Called when things have settled, before the report: the moment to look at the disk, and to add to the batch. */
  readonly look: () => void;
  readonly onChanges: (changes: WatchedChanges) => void;
}

/** What was noticed since the last report, reported together a moment after the first event. */
export class ChangeBatch {
  readonly #options: ChangeBatchOptions;
  #paths = new Set<VaultPath>();
  #events = 0;
  #isBurst = false;
  #timer: NodeJS.Timeout | null = null;
  #isDue = false;
  /** Nothing is reported before the start is over: the tree is half known until then. */
  #isHeld = true;

  constructor(options: ChangeBatchOptions) {
    this.#options = options;
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

  /** Lets reports go out. */
  release(): void {
    this.#isHeld = false;
    if (this.#isDue) this.#arm();
  }

  /** Forgets what was noticed. */
  drop(): void {
    this.#paths = new Set();
    this.#events = 0;
    this.#isBurst = false;
  }

  /** Holds all reports back, for good. */
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
      this.#options.look();
    } finally {
      this.#timer = null;
      this.#isDue = false;
    }
    const changes = { paths: this.#paths, isBurst: this.#isBurst || this.#events > BURST };
    this.drop();
    // A problem told while looking may have made the caller close us.
    if (this.#isHeld) return;
    if (changes.paths.size > 0 || changes.isBurst) this.#options.onChanges(changes);
  }
}
