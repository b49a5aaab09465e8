import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { z } from "zod";

/** What `walk-recorder.ts` writes. */
const Recorded = z.object({ urls: z.array(z.string()), reads: z.number() });

export interface Walk {
  /** Source files, by their paths below `src`. */
  readonly files: readonly string[];
  /** How often the watched file was read. */
  readonly reads: number;
}

/**
 * The source files that ran while `act` ran, in all processes that have loaded `walk-recorder.ts`.
 * @param folder their `WALK_FOLDER`
 */
export async function recordWalk(folder: string, act: () => Promise<void>): Promise<Walk> {
  const names = readdirSync(folder);
  const pids = names.flatMap((name) => /^(\d+)\.pid$/u.exec(name)?.[1] ?? []);
  const running = pids.map(Number).filter(isRunning);
  const signal = path.join(folder, "recording");
  writeFileSync(signal, "");
  for (const pid of running) process.kill(pid, "SIGUSR2");
  await pause(200);
  await act();
  rmSync(signal);
  for (const pid of running) process.kill(pid, "SIGUSR2");
  await pause(500);
  const results = readdirSync(folder)
    .filter((name) => name.endsWith(".json") && !names.includes(name))
    .map((name) => Recorded.parse(JSON.parse(readFileSync(path.join(folder, name), "utf8"))));
  if (results.length < running.length) throw new Error("a process did not write what it recorded");
  const files = results.flatMap(({ urls }) => urls.map((url) => url.split("/src/").at(-1) ?? url));
  return {
    files: [...new Set(files)].toSorted(),
    reads: results.reduce((sum, { reads }) => sum + reads, 0),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
