import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8 from enlarging the space of new objects, for a process that stays: the first moments of a service fill it, and what it grew by then,
 * about 100 MB at 50,000 files, is not given back. Read by V8 at every collection, so that it can be set while running.
 */
export function keepYoungMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
