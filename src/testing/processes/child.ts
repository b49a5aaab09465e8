import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A script of this folder in a process of its own. What it prints is collected. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves when it has printed `text`; fails when it ends before. */
  printed(text: string): Promise<void>;
  /** Resolves with what it printed when it ended well; fails with its complaint otherwise. */
  finished(): Promise<string>;
  /** Ends it at once, as SIGKILL does, and waits until it is gone. */
  kill(): Promise<void>;
}

export function startChild(
  script: URL,
  args: readonly string[],
  command: readonly string[] = [],
): Child {
  const [program = process.execPath, ...before] = [
    ...command,
    process.execPath,
    fileURLToPath(script),
    ...args,
  ];
  const child = spawn(program, before, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let complaint = "";
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (complaint += data.toString()));
  const ended = once(child, "close");
  return {
    process: child,
    async printed(text) {
      while (!out.includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`the child ended before it printed ${text}: ${complaint}`);
        }
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
    async finished() {
      await ended;
      if (child.exitCode !== 0) throw new Error(`the child failed: ${complaint}`);
      return out;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
