/**
 * Serves a vault that other programs made, looks at it for a while in each setting, and proves that nothing in it changed; then lets coffre
 * write into it, and takes that back: `npm run test:foreign -- --minutes 10 [--notes 2000] [--seed 1] [--only own]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { lookOnly, stampAndUndo, type ForeignRun, type RunResult } from "./foreign-run.ts";

const { values } = parseArgs({
  options: {
    /** Of looking, in each setting. */
    minutes: { type: "string", default: "1" },
    notes: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    /** Milliseconds between two questions, as a person makes them. */
    pause: { type: "string", default: "20" },
    /** Only one of the runs: own, none, adopt, all. */
    only: { type: "string" },
  },
});
const parent = mkdtempSync(path.join(tmpdir(), "coffre-foreign-"));
const RUNS: Readonly<Record<string, (run: ForeignRun) => Promise<RunResult>>> = {
  own: async (run) => lookOnly(run, "own"),
  none: async (run) => lookOnly(run, "none"),
  adopt: async (run) => stampAndUndo(run, "adopt"),
  all: async (run) => stampAndUndo(run, "serve"),
};
let hasFailed = false;
for (const [setting, work] of Object.entries(RUNS)) {
  if (values.only !== undefined && values.only !== setting) continue;
  const length = Number(values.minutes) * 60_000;
  let end: number | null = null;
  const { asked, problems } = await work({
    folder: path.join(parent, setting),
    notes: Number(values.notes),
    seed: Number(values.seed),
    pause: Number(values.pause),
    isOver: () => Date.now() > (end ??= Date.now() + length),
  });
  console.log(`${setting}: ${values.notes} notes, ${asked} questions, ${problems.length} problems`);
  for (const problem of problems.slice(0, 20)) console.log(`  - ${problem}`);
  hasFailed ||= problems.length > 0;
}
if (hasFailed) console.log(`Kept in ${parent}`);
else rmSync(parent, { recursive: true });
process.exitCode = hasFailed ? 1 : 0;
