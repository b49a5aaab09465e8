import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { z } from "zod";

import { OUT_OF_MEMORY } from "./converter-messages.ts";

/*
 * A thread beside the conversion that watches how much memory the whole process has, and whether its parent lives. V8's own limits know
 * nothing of native parsers and of buffers; and the thread that converts may not come to look for itself.
 */

const EVERY = 20;
const STANDARD_ERROR = 2;
/** The parent is named: it may be gone before this thread has begun. */
const { mostBytes, parent } = z
  .object({ mostBytes: z.number(), parent: z.number() })
  .parse(workerData);

// Whoever waited for the result may have been killed: a parser that hangs would then go on for ever.
const hasParent = (): boolean => process.ppid === parent;
while (hasParent() && process.memoryUsage.rss() < mostBytes) await pause(EVERY);
if (hasParent()) writeSync(STANDARD_ERROR, `${OUT_OF_MEMORY}\n`);
process.kill(process.pid, "SIGKILL");
