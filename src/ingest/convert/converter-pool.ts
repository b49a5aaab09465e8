import type { Limits } from "../limits.ts";
import { ConverterProcess } from "./converter-process.ts";

/** Conversions at the same time; each may use as much memory as its limit. */
const MAX_CONVERSIONS = 2;
/** How long a process that nobody needs is kept. */
const IDLE_MILLISECONDS = 60_000;

/**
 * A few converting processes that are used again: starting one takes longer than most files do. A process is replaced when it is worn (see
 * {@link ConverterProcess.isWorn}), and ended when it was idle for a minute.
 */
export class ConverterPool {
  readonly #limits: Limits;
  readonly #idle: { readonly converter: ConverterProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Runs a task with a process of its own for as long as it takes. Others wait, first in, first out. */
  async run<T>(task: (converter: ConverterProcess) => Promise<T>): Promise<T> {
    if (this.#running < MAX_CONVERSIONS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const converter = this.#take();
    try {
      return await task(converter);
    } finally {
      this.#give(converter);
      // The next one takes over this place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #take(): ConverterProcess {
    const last = this.#idle.pop();
    if (last === undefined) return new ConverterProcess(this.#limits);
    clearTimeout(last.timer);
    return last.converter;
  }

  #give(converter: ConverterProcess): void {
    if (converter.isWorn) {
      converter.close();
      return;
    }
    const timer = setTimeout(() => {
      const at = this.#idle.findIndex((each) => each.converter === converter);
      if (at >= 0) this.#idle.splice(at, 1);
      converter.close();
    }, IDLE_MILLISECONDS);
    // An idle process keeps nobody waiting for the end of this one.
    timer.unref();
    this.#idle.push({ converter, timer });
  }
}
