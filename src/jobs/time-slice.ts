import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds of work between two turns of the event loop. */
const SLICE = 5;

/** Divides long work on the thread that answers callers into slices: they are answered between two of them. */
export class TimeSlice {
  #started = performance.now();

  /** Call it between small steps of the work. */
  async pause(): Promise<void> {
    if (performance.now() - this.#started < SLICE) return;
    await nextTurn();
    this.#started = performance.now();
  }
}

/** Does all the steps, with other work between them. */
export async function inSlices(steps: Iterable<unknown>): Promise<void> {
  const slice = new TimeSlice();
  for (const _ of steps) await slice.pause();
}
