/** Keeps a service under mixed load for a number of minutes: `npm run soak -- --minutes 30 [--seed 1]`. Linux only. */
import { parseArgs } from "node:util";

import { heldBy, megabytes, type TimedSample } from "./judge.ts";
import { runSoak } from "./soak.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const COLUMNS = [
  "minute",
  "calls",
  "held MB",
  "resident MB",
  "descriptors",
  "watches",
  "delay p99 ms",
  "delay max ms",
];
/** Milliseconds between two rows. */
const every = minutes <= 3 ? 10_000 : 60_000;
let next = 0;

function row(cells: readonly string[]): string {
  return cells.map((cell, at) => cell.padStart(COLUMNS[at]?.length ?? 0)).join("  ");
}

function show(sample: TimedSample, calls: number): void {
  if (sample.at < next) return;
  next = sample.at + every - 5000;
  const { at, rss, descriptors, watches, p99, max } = sample;
  const numbers = [descriptors, watches, p99, max].map(String);
  const memory = [megabytes(heldBy(sample)), megabytes(rss)];
  console.log(row([(at / 60_000).toFixed(1), String(calls), ...memory, ...numbers]));
}

console.log(`seed ${seed}, ${minutes} minutes\n${row(COLUMNS)}`);
const result = await runSoak({ minutes, seed, onSample: show });
const { basis, first, last, before, after, delay, calls, problems, folder } = result;
console.log(`\ncalls: ${[...calls].map(([door, count]) => `${count} ${door}`).join(", ")}`);
const compared = [first, last].map((sample) => megabytes(heldBy(sample)));
console.log(`memory after a collection, at the end against ${basis}: ${compared.join(" → ")} MB`);
console.log(
  `at rest, before → after: ${before.descriptors} → ${after.descriptors} descriptors, ${before.watches} → ${after.watches} watches, ${megabytes(heldBy(before))} → ${megabytes(heldBy(after))} MB`,
);
console.log(
  `event-loop delay, 99th percentile at the end against ${basis}: ${delay.first} → ${delay.last} ms; the longest ${delay.longest} ms`,
);
if (problems.length > 0) console.log(`FAILED, kept in ${folder}`);
for (const problem of problems.slice(0, 20)) console.log(`- ${problem}`);
console.log(`${problems.length} findings`);
process.exitCode = problems.length === 0 ? 0 : 1;
