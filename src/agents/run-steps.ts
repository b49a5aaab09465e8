import { EventEmitter } from "node:events";

import type { RunEvent } from "./contract.ts";

/** An event of a run, which may have what its tools returned in it, with the rights that the run has. */
export interface Told {
  readonly event: RunEvent;
  readonly rights: string | undefined;
}

/** What the runs of updates tell while they go on, for those who follow them. */
export interface RunSteps {
  begin(id: string): void;
  tell(id: string, told: Told): void;
  end(id: string): void;
  /** Calls `listener` with what the update has told since it began and with what it tells, until the function it returns is called. */
  follow(id: string, listener: (told: Told) => void): () => void;
  close(): Promise<void>;
}

/** Events of a run that are kept while it goes on: pieces of an answer are small, and a run has at most some thousands. */
export const MOST_TOLD = 2000;

/** Of the runs of this process. */
export class OwnRunSteps implements RunSteps {
  /** By the id of their update. */
  readonly #runs = new EventEmitter<Record<string, [Told]>>().setMaxListeners(0);
  /** What was told of each run that goes on, for those who come to follow it later. */
  readonly #told = new Map<string, Told[]>();

  begin(id: string): void {
    this.#told.set(id, []);
  }

  /** Whether it goes on in this process. */
  has(id: string): boolean {
    return this.#told.has(id);
  }

  tell(id: string, told: Told): void {
    const before = this.#told.get(id);
    before?.push(told);
    if (before !== undefined && before.length > MOST_TOLD) before.shift();
    this.#runs.emit(id, told);
  }

  end(id: string): void {
    this.#told.delete(id);
  }

  follow(id: string, listener: (told: Told) => void): () => void {
    // A function for each call: the same listener may be added twice.
    const own = (told: Told): void => listener(told);
    for (const told of this.#told.get(id) ?? []) own(told);
    this.#runs.on(id, own);
    return () => void this.#runs.off(id, own);
  }

  async close(): Promise<void> {}
}
