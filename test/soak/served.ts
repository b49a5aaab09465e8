import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

const HERE = import.meta.dirname;
/** The command line from source. */
export const MAIN = path.join(HERE, "../../src/cli/main.ts");
const GAUGE = fileURLToPath(new URL("gauge.ts", import.meta.url));

const Gauged = z.object({
  heapUsed: z.number(),
  external: z.number(),
  rss: z.number(),
  p99: z.number(),
  max: z.number(),
});

/** What a service holds after a collection. Bytes and milliseconds. */
export interface Sample extends z.infer<typeof Gauged> {
  readonly descriptors: number;
  readonly watches: number;
}

export interface ServedPlace {
  readonly root: string;
  readonly state: string;
  /** Where owners are registered, instead of in this person's own folder. */
  readonly registry: string;
}

const Line = z.object({ level: z.number(), msg: z.string(), err: z.unknown() });

/** A real `coffre serve` in a process of its own, which can be looked into. Linux only. */
export class Served {
  readonly place: ServedPlace;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #print: { out: string; complaint: string };

  private constructor(
    place: ServedPlace,
    child: ChildProcess,
    print: { out: string; complaint: string },
  ) {
    this.place = place;
    this.#child = child;
    this.#print = print;
    this.#ended = once(child, "close");
  }

  /** Starts it and waits until it answers. Every note gets frontmatter. */
  static async start(place: ServedPlace): Promise<Served> {
    const { root, state } = place;
    const argv = ["serve", "--port", "0", "--vault", root, "--state", state];
    const child = spawn(
      process.execPath,
      ["--expose-gc", "--import", GAUGE, MAIN, ...argv, "--frontmatter", "all"],
      { stdio: ["ignore", "pipe", "pipe", "ipc"], env: environmentOf(place) },
    );
    const print = { out: "", complaint: "" };
    child.stdout?.on("data", (data: Buffer) => (print.out += data.toString()));
    child.stderr?.on("data", (data: Buffer) => (print.complaint += data.toString()));
    const served = new Served(place, child, print);
    while (!print.out.includes("\n")) {
      if (!served.isRunning) throw new Error(`the service did not start: ${print.complaint}`);
      if (child.stdout !== null) await Promise.race([once(child.stdout, "data"), served.#ended]);
    }
    return served;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it wrote to standard error. */
  get complaint(): string {
    return this.#print.complaint;
  }

  async sample(): Promise<Sample> {
    this.#child.send("sample");
    const [answer] = await Promise.race([
      once(this.#child, "message"),
      this.#ended.then((): unknown[] => {
        throw new Error(`the service ended: ${this.complaint}`);
      }),
    ]);
    const { pid } = this;
    const descriptors = readdirSync(`/proc/${pid}/fd`);
    const watches = descriptors
      .map((fd) => infoOf(pid, fd).match(/^inotify /gmu)?.length ?? 0)
      .reduce((sum, count) => sum + count, 0);
    return { ...Gauged.parse(answer), descriptors: descriptors.length, watches };
  }

  /** The unexpected errors in its log. */
  bugs(): string[] {
    const lines = ["service.log", "service.old.log"].flatMap((name) => logLines(this.place, name));
    return lines.flatMap((line) => {
      const read = Line.safeParse(parsed(line));
      return read.success && read.data.level >= 50 ? [line.slice(0, 2000)] : [];
    });
  }

  /** As Ctrl-C does. Resolves with its exit code, null when it had to be killed after a minute. */
  async stop(): Promise<number | null> {
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 60_000);
    this.#child.kill("SIGTERM");
    await this.#ended;
    clearTimeout(late);
    return this.#child.exitCode;
  }
}

/** For this service and the commands that reach it: nothing of this person's settings. */
export function environmentOf({ registry }: ServedPlace): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("COFFRE_"));
  return { ...Object.fromEntries(kept), XDG_STATE_HOME: registry, LANG: "C" };
}

function logLines({ state }: ServedPlace, name: string): string[] {
  try {
    return readFileSync(path.join(state, "log", name), "utf8").split("\n");
  } catch {
    return [];
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function infoOf(pid: number, fd: string): string {
  try {
    return readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8");
  } catch {
    // Closed meanwhile.
    return "";
  }
}
