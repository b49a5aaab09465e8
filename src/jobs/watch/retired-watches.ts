import type { Watch } from "./watcher.ts";

/** Milliseconds in which the kernel's queue cannot fill. */
const CALM = 20;
/** The kernel queues an event for each watch that is closed: few at a time leave room for the others. */
const SLICE = 1000;

/**
 * Watches that are no longer needed, waiting to be closed. Node drops the events still queued for a closed watch, and events that
 * are not counted hide that others were lost. So they are closed right after the queue was read, in a short turn of the event loop.
 */
export class RetiredWatches {
  #watches: Watch[] = [];
  #turn: NodeJS.Immediate | null = null;

  add(watch: Watch): void {
    this.#watches.push(watch);
    if (this.#turn === null) this.#waitATurn();
  }

  closeAll(): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    this.#turn = null;
    this.#closeSome(this.#watches.length);
  }

  #waitATurn(): void {
    const started = performance.now();
    this.#turn = setImmediate(() => {
      this.#turn = null;
      if (performance.now() - started < CALM) this.#closeSome(SLICE);
      if (this.#watches.length > 0) this.#waitATurn();
    });
  }

  #closeSome(count: number): void {
    for (const watch of this.#watches.splice(0, count)) watch.close();
  }
}
