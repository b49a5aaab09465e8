/** Kills replicas under load: `npm run test:team-kills -- --kills 200 --stops 20 [--seed 1]`. */
import { parseArgs } from "node:util";

import { Random } from "../../src/testing/random.ts";
import { runKills } from "./kills.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    stops: { type: "string", default: "20" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const random = new Random(seed);
console.log(`seed ${seed}`);
const started = performance.now();
const report = await runKills({
  kills: Number(values.kills),
  stops: Number(values.stops),
  httpClients: 10,
  mcpClients: 10,
  random: () => random.next(),
  log: (line) => console.log(line),
});
const { problems, acknowledged, edits, readAgain, updates, afterKill, afterStop } = report;
/** Median and longest, in milliseconds. */
function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `median ${at(0.5)} ms, longest ${at(1)} ms`;
}
console.log(
  `${acknowledged} lines, ${edits} edits and ${updates} updates acknowledged, ${readAgain} notes read again, in ${Math.round((performance.now() - started) / 1000)} s; written again after a kill: ${shown(afterKill)}; after a stop: ${shown(afterStop)}`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
