import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

import { onTestFinished } from "vitest";

/** Counts how often folders are listed, until the test ends. */
export function countListings(): () => number {
  const { readdirSync } = fs;
  let listings = 0;
  const counting = (...given: unknown[]): unknown => {
    listings += 1;
    return Reflect.apply(readdirSync, fs, given);
  };
  Object.assign(fs, { readdirSync: counting });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { readdirSync });
    syncBuiltinESMExports();
  });
  return () => listings;
}
