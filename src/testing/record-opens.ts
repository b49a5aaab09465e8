import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

import { onTestFinished } from "vitest";

/** Files of a folder that this process opens, by their names, until the test ends. */
export function recordOpens(root: string): readonly string[] {
  const { openSync } = fs;
  const opened: string[] = [];
  const recording = (...given: unknown[]): unknown => {
    const [place] = given;
    if (typeof place === "string" && place.startsWith(root + path.sep))
      opened.push(path.relative(root, place));
    return Reflect.apply(openSync, fs, given);
  };
  Object.assign(fs, { openSync: recording });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { openSync });
    syncBuiltinESMExports();
  });
  return opened;
}
