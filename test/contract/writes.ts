import { watch } from "node:fs";

import type { Place } from "../mcp/any-client.ts";

/** The files at the top of a vault that were replaced, in order, each as often as it was. */
export interface Writes {
  readonly names: readonly string[];
  /** When each was, in milliseconds after the first. */
  readonly times: readonly number[];
  readonly close: () => void;
}

/** Watches from outside: a file is written by renaming a finished one to its name, which the system reports once. */
export function writesIn({ root }: Place): Writes {
  const names: string[] = [];
  const times: number[] = [];
  let first: number | null = null;
  const watcher = watch(root, (event, name) => {
    if (event !== "rename" || name === null || name.startsWith(".")) return;
    const now = performance.now();
    first ??= now;
    names.push(name);
    times.push(now - first);
  });
  return { names, times, close: () => watcher.close() };
}
