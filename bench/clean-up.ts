/** What must not outlive a benchmark, processes and folders: undone last first, also when the benchmark fails or is told to stop. */
export class CleanUp {
  readonly #undoing: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | null = null;

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => void this.run().then(() => process.exit(1)));
    }
  }

  add(undo: () => Promise<void> | void): void {
    this.#undoing.push(undo);
  }

  /** Once, whoever asks first: a benchmark that is told to stop fails too, and its end waits for this. */
  async run(): Promise<void> {
    this.#running ??= this.#undoAll();
    return this.#running;
  }

  async #undoAll(): Promise<void> {
    for (const undo of this.#undoing.toReversed()) {
      try {
        await undo();
      } catch (error) {
        // The rest must go too.
        console.error(error);
      }
    }
  }
}
