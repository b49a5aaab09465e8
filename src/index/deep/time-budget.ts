/** Milliseconds. A timer may ring a little before its time: what is left then is nothing to begin with. */
const SOON_GONE = 2;

/** The time a search may take. What does not fit is left out, and said. */
export class Budget {
  readonly #milliseconds: number;
  readonly #started = performance.now();
  readonly #skipped: string[] = [];
  readonly #failures: string[] = [];
  /** Ends with the time. */
  readonly signal: AbortSignal;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.signal = AbortSignal.timeout(milliseconds);
  }

  /**
   * Null when there is no time for it, when it takes longer than there is, or when it fails.
   * @param share of all the time that may be gone when it ends: what comes after needs some too
   */
  async run<T>(stage: string, work: () => Promise<T>, share = 1): Promise<T | null> {
    const left = this.#left(share);
    if (left < SOON_GONE) return this.#skip(stage);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(this.#skip(stage)), left);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      if (this.#left(share) <= 0) return this.#skip(stage);
      const why = error instanceof Error ? error.message : String(error);
      this.#failures.push(`${stage} failed: ${why}`);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** One line for what was left out for want of time, one for each thing that failed. */
  notes(): string[] {
    const seconds = Math.round(this.#milliseconds / 100) / 10;
    const skipped = [...new Set(this.#skipped)].join(", ");
    const late = skipped === "" ? [] : [`deep search has ${seconds} s: left out ${skipped}`];
    return [...late, ...new Set(this.#failures)];
  }

  #left(share: number): number {
    return this.#milliseconds * share - (performance.now() - this.#started);
  }

  #skip(stage: string): null {
    this.#skipped.push(stage);
    return null;
  }
}
