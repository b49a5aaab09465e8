import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { isRunning } from "./registered-owner.ts";

const REQUEST = "owner-wanted";
/** Milliseconds. Taking a vault over takes less; an older request was left by a killed process. */
const LONGEST = 60_000;

/** Asks processes that can do without owning the vault to give it up. Returns a function that withdraws the request. */
export function requestOwnership(state: string): () => void {
  const file = path.join(state, REQUEST);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(file, String(process.pid), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Whether another process wants to own the vault. */
export function isOwnershipRequested(state: string): boolean {
  const file = path.join(state, REQUEST);
  try {
    const pid = Number(readFileSync(file, "utf8"));
    const age = Date.now() - statSync(file).mtimeMs;
    return pid !== process.pid && age < LONGEST && isRunning(pid);
  } catch {
    return false;
  }
}
