import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds for a program to finish writing an ignore file. */
const SETTLE = 30;

/** Has everything compared again when ignore files changed, until none has changed meanwhile. */
export class RuleChanges {
  readonly #compare: () => Promise<void>;
  #running: Promise<void> | null = null;
  #isStale = false;

  constructor(compare: () => Promise<void>) {
    this.#compare = compare;
  }

  onChange(): void {
    this.#isStale = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when the rules known so far are applied. */
  async applied(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#isStale = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    await pause(SETTLE);
    while (this.#isStale) {
      this.#isStale = false;
      await this.#compare();
    }
  }
}
