import { cpus } from "node:os";

interface Reading {
  /** Milliseconds of all processors together. */
  readonly total: number;
  readonly idle: number;
  /** Taken by this process. */
  readonly own: number;
}

/** Share of the machine's time that other programs take when it counts as busy. */
const BUSY = 0.5;
/** Readings with fewer milliseconds between them are too imprecise to compare. */
const APART = 500;

/** Whether other programs keep the machine busy. The load of this process does not count. */
export class MachineLoad {
  readonly #read: () => Reading;
  #last: Reading;
  #isBusy = false;

  constructor(read: () => Reading = readSystem) {
    this.#read = read;
    this.#last = read();
  }

  /** Since the last call; the same answer again when that was just now. */
  isBusy(): boolean {
    const reading = this.#read();
    const total = reading.total - this.#last.total;
    if (total < APART) return this.#isBusy;
    const used = total - (reading.idle - this.#last.idle);
    const others = used - (reading.own - this.#last.own);
    this.#last = reading;
    this.#isBusy = others / total > BUSY;
    return this.#isBusy;
  }
}

function readSystem(): Reading {
  let total = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.irq + times.idle;
    idle += times.idle;
  }
  const { user, system } = process.cpuUsage();
  return { total, idle, own: (user + system) / 1000 };
}
