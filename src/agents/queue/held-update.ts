import { ExpectedError } from "../../errors.ts";
import type { UpdateRows } from "./update-rows.ts";

/** How often a replica says that it lives, in one lease. */
const BEATS = 4;

export const CANCELLED = "It was cancelled.";

/** Aborts an update that another replica has taken over: nothing of it is recorded here. */
export class LeaseLost extends Error {}

/** An update that this replica runs or recovers: its lease is renewed until it is released. */
export class HeldUpdate {
  readonly id: string;
  readonly #rows: Pick<UpdateRows, "beat">;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param lease in milliseconds */
  constructor(rows: Pick<UpdateRows, "beat">, id: string, lease: number) {
    this.#rows = rows;
    this.id = id;
    this.#timer = setInterval(() => void this.beat(), lease / BEATS);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether another replica has it now. */
  get isLost(): boolean {
    return this.signal.reason instanceof LeaseLost;
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  cancel(): void {
    this.abort(new ExpectedError("conflict", CANCELLED));
  }

  async beat(): Promise<void> {
    try {
      const state = await this.#rows.beat(this.id);
      if (state === "cancelled") this.cancel();
      // One that has ended meanwhile is not ours either, and its signal is of no interest.
      if (state === "lost") this.abort(new LeaseLost());
    } catch {
      // The next one may come through; if none does in time, another replica takes over.
    }
  }

  release(): void {
    clearInterval(this.#timer);
  }
}
