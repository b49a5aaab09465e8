/** Lets calls to the disk fail: `npm run faults -- --faults 10000 [--seed 1] [--each 500] [--jobs 2] [--lasting]`. Linux only, with a C compiler. */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

import { runFaults } from "./faults.ts";

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "1000" },
    seed: { type: "string" },
    /** Faults on one vault, before the next seed begins with a new one. */
    each: { type: "string", default: "500" },
    /** Vaults at a time: most of a step is waiting for its service. */
    jobs: { type: "string", default: String(availableParallelism()) },
    /** Also disks that go on failing until they are repaired. */
    lasting: { type: "boolean", default: false },
  },
});
const most = Number(values.faults);
let seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
let [planned, injected, failures] = [0, 0, 0];

async function work(): Promise<void> {
  while (planned < most) {
    const faults = Math.min(Number(values.each), most - planned);
    planned += faults;
    const own = seed;
    seed += 1;
    const result = await runFaults({ seed: own, faults, isLasting: values.lasting });
    injected += result.faults;
    const { steps, failedCalls, refused } = result;
    console.log(
      `seed ${own}: ${result.faults} faults (${failedCalls} failed calls) in ${steps} steps, ${refused} refused`,
    );
    if (result.problems.length === 0) continue;
    failures += 1;
    console.log(`  FAILED, kept in ${result.folder}`);
    for (const problem of result.problems.slice(0, 10))
      console.log(`  - ${problem.slice(0, 1500)}`);
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const minutes = (performance.now() - started) / 60_000;
console.log(`${Math.round(injected / minutes)} faults a minute`);
console.log(`${injected} faults, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
