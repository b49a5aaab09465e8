import { fork, type ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ExpectedError, type ErrorCode } from "../../errors.ts";
import { formatBytes } from "../../text/tokens.ts";
import type { ConversionJob } from "../formats/formats.ts";
import type { Limits } from "../limits.ts";
import type { Converted, Step } from "./converted.ts";

/** The same file, from source and when built. */
const MAIN = fileURLToPath(
  new URL(`./converter-main${path.extname(import.meta.filename)}`, import.meta.url),
);

/** V8 ends the process at its own limit; the memory guard should do so first. */
const HEAP_SHARE = 0.9;
const MIB = 1024 * 1024;
const MAX_COMPLAINT = 10_000;

/** After so many files or bytes a process is replaced: parsers leak, and nothing of them should last. */
const MAX_FILES = 100;
const MAX_BYTES = 50 * MIB;
/** Of the memory limit: a process that keeps more would leave too little to the next file. */
const MAX_MEMORY_SHARE = 0.35;

/** A message from the process, which is sent one job after the other. */
export type ConverterReply =
  | { readonly kind: "step"; readonly done: number; readonly total: number }
  /** With the memory that the process has taken, in bytes. */
  | { readonly kind: "done"; readonly converted: Converted; readonly memory: number }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string };

interface ConvertOptions {
  readonly signal?: AbortSignal;
  readonly step?: Step;
}

/**
 * A process that converts files, one after the other. It has no environment, and may write no file and start no process. It is killed when
 * it takes longer without a step, or more memory, than the limits allow; the next file then starts another.
 */
export class ConverterProcess {
  readonly #limits: Limits;
  #child: ChildProcess | null = null;
  #complaint = "";
  #files = 0;
  #bytes = 0;
  #isSuspect = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * True when the process should not see another document: it had many files or bytes, takes much memory, or a file was refused or
   * abandoned in it, so that a damaged or hostile file is always the last one of its process.
   */
  get isWorn(): boolean {
    return this.#isSuspect || this.#files >= MAX_FILES || this.#bytes >= MAX_BYTES;
  }

  /** Throws an {@link ExpectedError} for every failure, because the file is the cause; when aborted, the signal's reason. */
  async convert(job: ConversionJob, { signal, step }: ConvertOptions = {}): Promise<Converted> {
    signal?.throwIfAborted();
    const child = this.#running();
    this.#files += 1;
    this.#bytes += job.bytes.length;
    const { promise, resolve, reject } = Promise.withResolvers<Converted>();
    let timer: NodeJS.Timeout | undefined;
    const stop = (error: unknown): void => {
      this.close();
      reject(error);
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => stop(this.#tooSlow(job)), this.#limits.milliseconds);
    };
    const onMessage = (reply: ConverterReply): void => {
      if (reply.kind === "done") {
        if (reply.memory > this.#limits.memoryBytes * MAX_MEMORY_SHARE) this.#isSuspect = true;
        resolve(reply.converted);
      } else if (reply.kind === "refused") reject(new ExpectedError(reply.code, reply.message));
      else {
        wait();
        step?.(reply.done, reply.total);
      }
    };
    const onClose = (): void => stop(this.#died(job));
    const onAbort = (): void => stop(signal?.reason);
    child.on("message", onMessage).once("close", onClose);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      wait();
      child.send(job, (error) => {
        if (error !== null) stop(this.#died(job));
      });
      return await promise;
    } catch (error) {
      this.#isSuspect = true;
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      child.off("message", onMessage).off("close", onClose);
    }
  }

  /** Ends the process at once; the next file starts another. */
  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  #running(): ChildProcess {
    if (this.#child !== null && this.#child.connected) return this.#child;
    const { memoryBytes } = this.#limits;
    const child = fork(MAIN, [String(memoryBytes), String(process.pid)], {
      execArgv: [
        "--permission",
        "--allow-fs-read=*",
        "--allow-addons",
        "--allow-worker",
        `--max-old-space-size=${Math.floor((memoryBytes * HEAP_SHARE) / MIB)}`,
        "--disable-warning=SecurityWarning",
      ],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(0, MAX_COMPLAINT);
    });
    // A process that cannot start emits an error, then closes.
    child.on("error", () => {});
    // While it waits for files it does not keep this process alive.
    child.unref();
    child.channel?.unref();
    if (child.stderr instanceof Socket) child.stderr.unref();
    this.#child = child;
    return child;
  }

  #tooSlow({ name }: ConversionJob): ExpectedError {
    const seconds = Math.round(this.#limits.milliseconds / 1000);
    return new ExpectedError(
      "too_large",
      `${name} was given up after ${seconds} seconds without progress. It may be damaged, or made to be slow; split it, or save it in another form.`,
    );
  }

  #died({ name }: ConversionJob): ExpectedError {
    // Both V8 and the memory guard say so before they end the process.
    return /out of memory/iu.test(this.#complaint)
      ? new ExpectedError(
          "too_large",
          `${name} was given up: it takes more than ${formatBytes(this.#limits.memoryBytes)} of memory. Split it, or save it in another form.`,
        )
      : new ExpectedError(
          "not_text",
          `${name} was given up: it makes its reader fail. It may be damaged; save or download it again.`,
          { cause: new Error(this.#complaint) },
        );
  }
}
