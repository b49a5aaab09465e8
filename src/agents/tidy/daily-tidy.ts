import { ExpectedError } from "../../errors.ts";
import { localDay } from "../../text/local-time.ts";
import type { Tidying } from "./tidying.ts";

export interface DailyTidyOptions {
  readonly tidy: Pick<Tidying, "run" | "last" | "daily">;
  /** Nothing is under way, and nobody changed anything for a while. */
  readonly isIdle: () => Promise<boolean>;
  readonly now: () => Date;
  readonly onBug: (error: unknown, asked: string) => void;
}

/** Milliseconds between two looks at the clock. */
const INTERVAL = 5 * 60_000;

/** Looks through a vault once a day when it is idle, if its setting says so. */
export class DailyTidy {
  readonly #options: DailyTidyOptions;
  readonly #closed = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<boolean> | null = null;

  constructor(options: DailyTidyOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), INTERVAL);
    this.#timer.unref();
  }

  /** Runs when it is time. Resolves to whether it did; failures go to the log. */
  async look(): Promise<boolean> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        // A setting that is not valid is said by the commands that read it.
        if (!(error instanceof ExpectedError)) this.#options.onBug(error, "the daily tidying");
        return false;
      })
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<boolean> {
    const { tidy, isIdle, now } = this.#options;
    const { signal } = this.#closed;
    if (signal.aborted || !tidy.daily.isOn()) return false;
    if (tidy.last?.slice(0, 10) === localDay(now()) || !(await isIdle())) return false;
    await tidy.run({ isDaily: true, signal, onEvent: () => {} });
    return true;
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#closed.abort(new ExpectedError("unavailable", "The service ended."));
    await this.#looking;
  }
}
