/** Lets others wait for work that is done in rounds: for the one under way, or for the next. */
export class Rounds {
  #begun = 0;
  #ended = 0;
  #waiters: { readonly round: number; readonly resolve: () => void }[] = [];

  begin(): void {
    this.#begun += 1;
  }

  end(): void {
    this.#ended = this.#begun;
    this.#release((round) => round <= this.#ended);
  }

  /** @param isNext something waits for the round after the present one */
  async until(isNext: boolean): Promise<void> {
    const round = this.#begun + (isNext ? 1 : 0);
    if (round <= this.#ended) return;
    await new Promise<void>((resolve) => this.#waiters.push({ round, resolve }));
  }

  /** There will be no more rounds. */
  close(): void {
    this.#release(() => true);
  }

  #release(isReady: (round: number) => boolean): void {
    const ready = this.#waiters.filter(({ round }) => isReady(round));
    this.#waiters = this.#waiters.filter(({ round }) => !isReady(round));
    for (const { resolve } of ready) resolve();
  }
}
