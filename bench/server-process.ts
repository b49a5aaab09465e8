import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

export interface ServerProcess {
  /** What it printed when it was ready, parsed. */
  readonly ready: unknown;
  readonly pid: number | null;
  readonly stop: () => Promise<void>;
}

/** In milliseconds: a server that has not ended by then is killed. */
const PATIENCE = 10_000;

/** Starts a program of Node that prints JSON as soon as it serves. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    await exited;
    clearTimeout(timer);
  };
  try {
    return { ready: await firstJson(child.stdout), pid: child.pid ?? null, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The output stays open: a server may print more. */
async function firstJson(output: Readable): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  let printed = "";
  output.on("data", (part) => {
    printed += String(part);
    try {
      resolve(JSON.parse(printed));
    } catch {
      // The rest is still to come.
    }
  });
  output.on("end", () => reject(new Error(`A server ended before it was ready: ${printed}`)));
  return promise;
}
