import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { replaceDurably } from "../../storage/durable-names.ts";

const DAY = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 30;
/** Beside what is kept: how long each was. */
const AGES_FILE = ".ages.json";

const Ages = z.object({
  /** When the last sweep was, in milliseconds. */
  swept: z.number(),
  /** Of each thing, the sum of the gaps between sweeps since it came. */
  ages: z.record(z.string(), z.number()),
});
type Ages = z.infer<typeof Ages>;

/**
 * Takes the temporary files of killed processes out of the vault. They are moved to the state folder instead of deleted, since one of them may
 * be the only copy of something. They go after thirty days in which there were sweeps: from one sweep to the next counts as a day at most, so
 * no jump of the clock makes them old.
 * @param places hidden files and folders of ours; the caller is the only writer
 */
export function sweepLeftovers(state: string, places: readonly string[], now: Date): void {
  const folder = path.join(state, "leftovers");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const came = new Set<string>();
  // The scan may have met temporary files of a write that has ended since.
  for (const place of places.filter((each) => existsSync(each))) {
    const name = path.basename(place);
    cpSync(place, path.join(folder, name), { recursive: true, force: true });
    rmSync(place, { recursive: true, force: true });
    came.add(name);
  }
  const kept = path.join(folder, AGES_FILE);
  const before = readAges(kept);
  // A date in the future was written while the clock was wrong.
  const gap = Math.min(DAY, Math.max(0, now.getTime() - (before?.swept ?? now.getTime())));
  const ages: Record<string, number> = {};
  for (const name of readdirSync(folder).filter((each) => !each.startsWith(AGES_FILE))) {
    const known = came.has(name) ? undefined : before?.ages[name];
    const age = known === undefined ? 0 : known + gap;
    if (age > KEPT_DAYS * DAY) rmSync(path.join(folder, name), { recursive: true, force: true });
    else ages[name] = age;
  }
  replaceDurably(kept, JSON.stringify({ swept: now.getTime(), ages } satisfies Ages));
}

/** Null before the first sweep, and when it cannot be read: everything then begins to age again. */
function readAges(file: string): Ages | null {
  try {
    return Ages.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
