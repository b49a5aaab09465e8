import type { BackgroundJob } from "./background-job.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Watcher } from "./watch/watcher.ts";

/** Milliseconds until everything is compared with the disk again: when all is well, when changes may go unseen, and after a burst of them. */
const RESCAN = 10 * 60_000;
const RESCAN_UNSURE = 2000;
const RESCAN_AFTER_BURST = 500;
/** Repeated comparisons may take up one part in this many of the time. */
const MAX_RESCAN_SHARE = 20;

export interface RescansOptions {
  /** False for a one-shot process, which compares once. */
  readonly isWatching: boolean;
  readonly job: Pick<BackgroundJob, "rescan" | "alarm">;
  readonly watcher: Pick<Watcher, "rescan" | "unwatched">;
  readonly heartbeat: Pick<Heartbeat, "beat">;
  /** Called before each comparison of a process that watches. */
  readonly onStart: () => void;
}

/** Comparisons of everything with the disk: one at a time, and again at intervals. */
export class Rescans {
  readonly #options: RescansOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<{ changed: number; gone: number }> | null = null;

  constructor(options: RescansOptions) {
    this.#options = options;
  }

  /** The comparison that runs now; null when none does. */
  get running(): Promise<unknown> | null {
    return this.#running;
  }

  /** Something may go unseen. */
  soon(): void {
    this.#in(RESCAN_UNSURE);
  }

  /** The system may have dropped events without a word. */
  afterBurst(): void {
    this.#in(RESCAN_AFTER_BURST);
  }

  /** @param isThorough also compares the index, which only a failure can have made differ */
  async run(isThorough: boolean): Promise<{ changed: number; gone: number }> {
    if (this.#options.isWatching) this.#options.onStart();
    this.#running ??= this.#compare(isThorough).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Tests the watcher on the way, and repeats itself at intervals. */
  async #compare(isThorough: boolean): Promise<{ changed: number; gone: number }> {
    const { isWatching, job, watcher, heartbeat } = this.#options;
    const started = performance.now();
    const beat = isWatching ? heartbeat.beat() : null;
    const found = await job.rescan(undefined, isThorough);
    const isUnsure = job.alarm !== null || watcher.unwatched > 0;
    const took = performance.now() - started;
    this.#in(isUnsure ? Math.max(RESCAN_UNSURE, took * MAX_RESCAN_SHARE) : RESCAN);
    await beat;
    return found;
  }

  #in(milliseconds: number): void {
    if (!this.#options.isWatching) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#options.watcher.rescan();
      void this.run(false);
    }, milliseconds);
    this.#timer.unref();
  }
}
