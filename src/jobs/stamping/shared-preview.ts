interface Preview<Found> {
  readonly found: Promise<Found>;
  isRunning: boolean;
  /** Something changed since it began. */
  isOutdated: boolean;
}

/** One look through all notes for all who ask: it is shared while it runs, and then kept until something changes. */
export class SharedPreview<Found> {
  readonly #look: () => Promise<Found>;
  #last: Preview<Found> | null = null;

  constructor(look: () => Promise<Found>) {
    this.#look = look;
  }

  async get(): Promise<Found> {
    const last = this.#last;
    if (last !== null && (last.isRunning || !last.isOutdated)) return last.found;
    const preview = { found: this.#look(), isRunning: true, isOutdated: false };
    this.#last = preview;
    try {
      return await preview.found;
    } catch (error) {
      preview.isOutdated = true;
      throw error;
    } finally {
      preview.isRunning = false;
    }
  }

  /** What was seen may differ by now. One that runs goes on, and is shared: else a vault that changes all the time would have many. */
  outdate(): void {
    if (this.#last !== null) this.#last.isOutdated = true;
  }

  /** All that was seen differs: one that runs is of no use to those who ask from now on. */
  drop(): void {
    this.#last = null;
  }
}
