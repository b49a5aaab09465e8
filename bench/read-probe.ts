import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

import { z } from "zod";

import type { Service } from "../src/compose.ts";
import { callTool } from "../src/tools/call.ts";
import { createSession } from "../src/tools/session.ts";

/** Milliseconds between two calls. */
const INTERVAL = 5;

export interface Waits {
  readonly p99: number;
  readonly longest: number;
  readonly calls: number;
  /** The same of a bare program that only reads a file: how long the machine itself lets one wait. */
  readonly bare: { readonly p99: number; readonly longest: number };
  /** Processor time that the answering thread used from one call to the answer of the next: what a call can wait for, whatever else runs. */
  readonly work: { readonly p99: number; readonly longest: number };
}

/** Reads this program's own file as often, and writes how late it was when it is told to end. */
const BARE = `
  const { readFileSync } = require("node:fs");
  const times = [];
  const next = () => {
    const due = performance.now() + ${INTERVAL};
    setTimeout(() => { readFileSync(process.argv[1]); times.push(performance.now() - due); next(); }, ${INTERVAL});
  };
  next();
  process.stdin.on("end", () => { process.stdout.write(JSON.stringify(times)); process.exit(); }).resume();
`;

/**
 * Calls `read` again and again while `work` runs. What counts is the time from when a call was due: a blocked thread makes it late.
 * @param file a vault path
 */
export async function probeReads(
  { vault, index }: Service,
  file: string,
  work: () => Promise<void>,
): Promise<Waits> {
  const common = { vault, index, session: createSession("bench"), now: () => new Date() };
  const times: number[] = [];
  const worked: number[] = [];
  const program = spawn(process.execPath, ["-e", BARE, import.meta.filename]);
  const written = text(program.stdout);
  const done = new AbortController();
  const probing = (async () => {
    while (!done.signal.aborted) {
      const due = performance.now() + INTERVAL;
      const before = threadTime();
      await wait(INTERVAL);
      const result = await callTool(
        "read",
        { paths: [file] },
        { ...common, profile: "update", batch: null },
      );
      if (result.isError) throw new Error(JSON.stringify(result.structured));
      times.push(performance.now() - due);
      worked.push(threadTime() - before);
    }
  })();
  try {
    await work();
  } finally {
    done.abort();
    await probing;
  }
  program.stdin.end();
  const bare = z.array(z.number()).parse(JSON.parse(await written));
  return { ...latest(times), calls: times.length, bare: latest(bare), work: latest(worked) };
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function latest(times: readonly number[]): { readonly p99: number; readonly longest: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99));
  return { p99: sorted[at] ?? 0, longest: sorted.at(-1) ?? 0 };
}
