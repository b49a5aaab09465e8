import path from "node:path";
import { Worker } from "node:worker_threads";

import { ExpectedError } from "../vault/errors.ts";
import { convertFile } from "./convert-file.ts";
import type { ConverterReply, ConverterRequest } from "./converter-messages.ts";

/*
 * The process in which files are converted. What it is given is anybody's, so it may be killed at any moment: it writes nothing, and
 * keeps nothing between two files.
 */

const send = (reply: ConverterReply): void => void process.send?.(reply);

const guard = new URL(`./memory-guard${path.extname(import.meta.filename)}`, import.meta.url);
new Worker(guard, { workerData: { mostBytes: Number(process.argv[2]) } }).unref();

process.on("message", (request: ConverterRequest) => void answer(request));
process.on("disconnect", () => process.exit());

async function answer({ id, job }: ConverterRequest): Promise<void> {
  try {
    const step = (done: number, total: number): void => send({ id, kind: "step", done, total });
    send({ id, kind: "done", converted: await convertFile(job, step) });
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    send({ id, kind: "refused", code: error.code, message: error.message });
  }
}
