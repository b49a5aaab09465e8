import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";

const KEPT_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Takes what killed processes left unfinished out of the vault. Moved to the state folder rather than removed: it is nearly always a
 * copy of something, but nobody can be sure any more.
 * @param places hidden files and folders of ours; the caller is the only writer
 */
export function sweepLeftovers(state: string, places: readonly string[], now: Date): void {
  const folder = path.join(state, "leftovers");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Some were only seen while a write was under way.
  for (const place of places.filter((each) => existsSync(each))) {
    cpSync(place, path.join(folder, path.basename(place)), { recursive: true, force: true });
    rmSync(place, { recursive: true, force: true });
  }
  for (const name of readdirSync(folder)) {
    const kept = path.join(folder, name);
    if (now.getTime() - statSync(kept).ctimeMs > KEPT_DAYS * DAY)
      rmSync(kept, { recursive: true, force: true });
  }
}
