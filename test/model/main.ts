/** Compares vaults with their model for a number of minutes: `npm run model -- --minutes 10 [--seed 1] [--steps 60]`. */
import { parseArgs } from "node:util";

import { runModel } from "./model.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    steps: { type: "string", default: "60" },
  },
});
const first = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const end = Date.now() + Number(values.minutes) * 60_000;
let failures = 0;
let seed = first;
for (; seed === first || Date.now() < end; seed += 1) {
  try {
    await runModel({ seed, runs: 1, steps: Number(values.steps) });
  } catch (error) {
    failures += 1;
    const cause = error instanceof Error ? String(error.cause) : "";
    console.log(`seed ${seed} FAILED: ${cause.slice(0, 2000)}\n${String(error).slice(0, 4000)}`);
  }
}
console.log(`${seed - first} vaults compared with their model, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
