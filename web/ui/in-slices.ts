/** Milliseconds of work before the browser may do something else: less than a frame. */
const SLICE = 8;

/** Lets the browser paint and take keys; resolves when it is our turn again. */
export async function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { port1, port2 } = new MessageChannel();
  // Not a timer: browsers delay those by milliseconds when they are nested.
  port1.addEventListener("message", () => {
    port1.close();
    resolve();
  });
  port1.start();
  port2.postMessage(null);
  await promise;
}

/**
 * Calls `visit` with each item, a few milliseconds at a time.
 * @returns whether it came to the end; not when it was called off
 */
export async function inSlices<T>(
  items: readonly T[],
  visit: (item: T) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let until = performance.now() + SLICE;
  for (const item of items) {
    if (performance.now() > until) {
      await nextTurn();
      if (signal.aborted) return false;
      until = performance.now() + SLICE;
    }
    visit(item);
  }
  return !signal.aborted;
}
