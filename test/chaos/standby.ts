import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import type { Order } from "../../src/testing/chaos/chaos-log.ts";

const SCRIPT = fileURLToPath(new URL("../../src/testing/chaos/chaos-service.ts", import.meta.url));
const KEPT = 3;

/** A process that has loaded all it needs, and waits for its order. */
interface Standby {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ready: Promise<unknown>;
  readonly closed: Promise<unknown>;
  readonly complaint: () => string;
}

/** A chaos service at work. */
export interface Victim {
  /** Calls it has begun. */
  calls(): number;
  /** Ends it at once, as SIGKILL does. Resolves, when it is gone, with its complaint if it ended by itself before. */
  kill(): Promise<string | null>;
}

/** Processes started ahead, so that a kill does not cost the start of another. */
export class Standbys {
  readonly #waiting: Standby[] = [];
  readonly #cache: string;

  /** @param cache a folder for compiled code, so that a start costs a third */
  constructor(cache: string) {
    this.#cache = cache;
    while (this.#waiting.length < KEPT) this.#waiting.push(this.#start());
  }

  #start(): Standby {
    const child = spawn(process.execPath, [SCRIPT], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NODE_COMPILE_CACHE: this.#cache },
    });
    let complaint = "";
    child.stderr.on("data", (data: Buffer) => (complaint += data.toString()));
    child.stdin.on("error", () => {});
    const closed = once(child, "close");
    const ready = Promise.race([once(child.stdout, "data"), closed]);
    return { child, ready, closed, complaint: () => complaint };
  }

  /** Sends the next process to work. */
  async send(order: Order): Promise<Victim> {
    const { child, ready, closed, complaint } = this.#waiting.shift() ?? this.#start();
    this.#waiting.push(this.#start());
    await ready;
    let calls = 0;
    child.stdout.on("data", (data: Buffer) => (calls += data.length));
    // Nobody waits for the calls of a process that is gone.
    void closed.then(() => (calls = Number.POSITIVE_INFINITY));
    child.stdin.write(`${JSON.stringify(order)}\n`);
    return {
      calls: () => calls,
      async kill() {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        child.kill("SIGKILL");
        await closed;
        return hasEnded ? `ended by itself (${child.exitCode}): ${complaint()}` : null;
      },
    };
  }

  async close(): Promise<void> {
    for (const { child } of this.#waiting) child.kill("SIGKILL");
    await Promise.all(this.#waiting.map(({ closed }) => closed));
  }
}
