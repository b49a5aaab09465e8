/** Kills services for a number of minutes: `npm run chaos -- --minutes 10 [--seed 1] [--kills 100] [--total 1000] [--parent FOLDER] [--forgive-late]`. */
import { parseArgs } from "node:util";

import { runChaos } from "./chaos.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    /** Kills on one vault, before the next seed begins with a new one. */
    kills: { type: "string", default: "100" },
    /** Kills after which it ends, whatever the minutes; none by default. */
    total: { type: "string" },
    parent: { type: "string" },
    "forgive-late": { type: "boolean", default: false },
  },
});
const { minutes, kills, parent } = values;
const first = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const end = Date.now() + Number(minutes) * 60_000;
let killed = 0;
let failures = 0;
const most = Number(values.total ?? Number.POSITIVE_INFINITY);
const isOver = (): boolean =>
  values.total === undefined ? Date.now() >= end : killed + failures >= most;
for (let seed = first; seed === first || !isOver(); seed += 1) {
  const started = performance.now();
  const result = await runChaos({
    seed,
    kills: Number(kills),
    forgivesLate: values["forgive-late"],
    ...(parent === undefined ? {} : { parent }),
  });
  const { done, refused, cut, undone, problems, folder } = result;
  killed += result.kills;
  const took = ((performance.now() - started) / Math.max(1, result.kills)).toFixed(0);
  const calls = `${done} calls done, ${refused} refused, ${cut} cut, ${undone} undone`;
  console.log(`seed ${seed}: ${result.kills} kills, ${took} ms each; ${calls}`);
  if (problems.length === 0) continue;
  failures += 1;
  console.log(`  FAILED, kept in ${folder}`);
  for (const problem of problems.slice(0, 20)) console.log(`  - ${problem.slice(0, 2000)}`);
}
console.log(`${killed} kills, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
