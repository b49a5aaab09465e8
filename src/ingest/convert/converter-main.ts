import path from "node:path";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";

import { ExpectedError } from "../../errors.ts";
import { convertFile, type ConversionJob } from "../formats/formats.ts";
import type { ConverterReply } from "./converter-process.ts";

/*
 * The process in which files are converted. Files are not trusted, so it may be killed at any moment: it writes nothing, and keeps nothing
 * between two files.
 */

const send = (reply: ConverterReply): void => void process.send?.(reply);

const guard = new URL(`./memory-guard${path.extname(import.meta.filename)}`, import.meta.url);
const [mostBytes, parent] = process.argv.slice(2).map(Number);
/** 1 while a file is converted: only then the guard has to look often. */
const busy = new Int32Array(new SharedArrayBuffer(4));
new Worker(guard, { workerData: { mostBytes, parent, busy } }).unref();

process.on("message", (job: ConversionJob) => void answer(job));
// Parsers that fail on a damaged file leave rejected promises behind; only the awaited one counts.
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit());

async function answer(job: ConversionJob): Promise<void> {
  Atomics.store(busy, 0, 1);
  Atomics.notify(busy, 0);
  try {
    const step = (done: number, total: number): void => send({ kind: "step", done, total });
    const converted = await convertFile(job, step);
    send({ kind: "done", converted, memory: process.memoryUsage.rss() });
  } catch (error) {
    if (!(error instanceof ExpectedError)) {
      process.stderr.write(inspect(error));
      process.exit(1);
    }
    send({ kind: "refused", code: error.code, message: error.message });
  } finally {
    Atomics.store(busy, 0, 0);
  }
}
