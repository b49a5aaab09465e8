import { readFileSync, existsSync } from "node:fs";

import type { CleanUp } from "../clean-up.ts";
import { startMcp, type McpSession } from "../mcp-session.ts";
import type { Running } from "../service-calls.ts";
import { isInstalled, type Contender } from "../service-peers.ts";

/** Starts what is installed; of the others it says why they are left out. */
export async function startAll(
  contenders: readonly Contender[],
  cleanUp: CleanUp,
): Promise<Running[]> {
  const running: Running[] = [];
  for (const contender of contenders) {
    if (!isInstalled(contender)) {
      console.log(`        ${contender.name} is not here: npm ci --prefix bench/peers`);
      continue;
    }
    try {
      const session = await startMcp(contender.program);
      cleanUp.add(async () => session.close());
      running.push({ ...contender, session });
    } catch (error) {
      console.log(`        ${contender.name} does not run here: ${String(error).slice(0, 300)}`);
    }
  }
  return running;
}

/** Megabytes that a process holds in memory now, and the most it ever held; null where the system does not tell. */
export function memoryOf(pid: number | null): { now: number; most: number } | null {
  const file = `/proc/${pid}/status`;
  if (pid === null || !existsSync(file)) return null;
  const status = readFileSync(file, "utf8");
  const megabytes = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(status)?.[1]) * 1024) / 1e6;
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

/** Milliseconds from the start of a server to its answer to a first search. */
export async function timeStart(contender: Contender, words: string): Promise<number> {
  const started = performance.now();
  let session: McpSession | null = null;
  try {
    session = await startMcp(contender.program);
    await session.call(contender.search({ words, name: "state.md" }));
    return performance.now() - started;
  } finally {
    await session?.close();
  }
}
