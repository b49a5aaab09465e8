import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

import { onTestFinished } from "vitest";

/** Counts the times a file of this name is opened and read, until the test ends. One that is opened and not read does not count. */
export function countReads(name: string): () => number {
  const { openSync, readSync } = fs;
  const unread = new Set<number>();
  let reads = 0;
  fs.openSync = (place, ...rest) => {
    const fd = openSync(place, ...rest);
    unread.delete(fd);
    if (path.basename(String(place)) === name) unread.add(fd);
    return fd;
  };
  fs.readSync = (fd: number, ...rest: unknown[]): number => {
    if (unread.delete(fd)) reads += 1;
    return Reflect.apply(readSync, fs, [fd, ...rest]);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { openSync, readSync });
    syncBuiltinESMExports();
  });
  return () => reads;
}
