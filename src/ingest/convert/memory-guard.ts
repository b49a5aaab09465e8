import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { z } from "zod";

/*
 * A thread beside the conversion that watches the memory of the whole process, and whether its parent lives. V8's own limits do not count
 * native parsers and buffers, and the converting thread may be too busy to check.
 */

const INTERVAL = 20;
/** Between two files only the end of the parent is to be noticed. */
const IDLE_INTERVAL = 1000;
const STANDARD_ERROR = 2;
/** The parent's id is passed: it may have ended before this thread started. */
const { mostBytes, parent, busy } = z
  .object({ mostBytes: z.number(), parent: z.number(), busy: z.instanceof(Int32Array) })
  .parse(workerData);

// When the parent was killed, a parser that hangs would run for ever.
const hasParent = (): boolean => process.ppid === parent;
while (hasParent() && process.memoryUsage.rss() < mostBytes) {
  // Sleeps until a file comes.
  Atomics.wait(busy, 0, 0, IDLE_INTERVAL);
  if (Atomics.load(busy, 0) === 1) await pause(INTERVAL);
}
if (hasParent()) writeSync(STANDARD_ERROR, "converter: out of memory\n");
process.kill(process.pid, "SIGKILL");
