import path from "node:path";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";

import { ExpectedError } from "../../errors.ts";
import { convertFile } from "../formats/formats.ts";
import type { ConverterReply, ConverterRequest } from "./converter-process.ts";

/*
 * The process in which files are converted. Files are not trusted, so it may be killed at any moment: it writes nothing, and keeps nothing
 * between two files.
 */

const send = (reply: ConverterReply): void => void process.send?.(reply);

const guard = new URL(`./memory-guard${path.extname(import.meta.filename)}`, import.meta.url);
const [mostBytes, parent] = process.argv.slice(2).map(Number);
new Worker(guard, { workerData: { mostBytes, parent } }).unref();

process.on("message", (request: ConverterRequest) => void answer(request));
// Parsers that fail on a damaged file leave rejected promises behind; only the awaited one counts.
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit());

async function answer({ id, job }: ConverterRequest): Promise<void> {
  try {
    const step = (done: number, total: number): void => send({ id, kind: "step", done, total });
    send({ id, kind: "done", converted: await convertFile(job, step) });
  } catch (error) {
    if (!(error instanceof ExpectedError)) {
      process.stderr.write(inspect(error));
      process.exit(1);
    }
    send({ id, kind: "refused", code: error.code, message: error.message });
  }
}
