/** Loaded by `node --import` into a service that is watched: at each `sample` it collects garbage and sends what it holds. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

// Threads and converting processes are started with the same flags, and have channels of their own.
if (isMainThread && process.argv.includes("serve") && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on("message", (message) => {
    if (message !== "sample") return;
    const milliseconds = (nanoseconds: number): number => Math.round(nanoseconds / 1e6);
    const [p99, max] = [milliseconds(delay.percentile(99)), milliseconds(delay.max)];
    // Twice: what the first one finalizes is free after the second.
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    delay.reset();
    process.send?.({ heapUsed, external, rss, p99, max });
  });
  // A watched service ends like any other.
  process.channel?.unref();
}
