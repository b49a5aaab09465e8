/**
 * Sends random input to every door for a number of minutes: `npm run fuzz -- --minutes 10 [--seed 1] [--inputs 500]`. Sends one case again:
 * `npm run fuzz -- --replay FILE`. Linux only.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { runFuzz } from "./fuzz.ts";
import { Case } from "./input.ts";
import { Target } from "./target.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string" },
    /** Inputs on one vault, before the next seed begins with a new one. */
    inputs: { type: "string", default: "500" },
    replay: { type: "string" },
  },
});

async function replay(file: string): Promise<number> {
  const { input } = Case.parse(JSON.parse(readFileSync(file, "utf8")));
  const target = await Target.start();
  const problems = await target.send(input);
  problems.push(...(await target.close(false)));
  for (const problem of problems) console.log(`- ${problem.slice(0, 3000)}`);
  return problems.length;
}

async function fuzz(): Promise<number> {
  const end = performance.now() + Number(values.minutes) * 60_000;
  const first = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  let total = 0;
  let failures = 0;
  for (let seed = first; seed === first || performance.now() < end; seed += 1) {
    const { sent, findings } = await runFuzz({ seed, inputs: Number(values.inputs), end });
    const counts = [...sent].map(([kind, count]) => `${count} ${kind}`);
    const count = [...sent.values()].reduce((sum, each) => sum + each, 0);
    total += count;
    failures += findings.length;
    console.log(
      `seed ${seed}: ${count} inputs (${counts.join(", ")}), ${findings.length} findings`,
    );
    for (const { at, kind, problem, file } of findings.slice(0, 20)) {
      console.log(`  - ${kind} ${at}: ${problem.slice(0, 800)}`);
      if (file !== null) console.log(`    ${file}`);
    }
  }
  console.log(`${total} inputs, ${failures} findings`);
  return failures;
}

const failures = await (values.replay === undefined ? fuzz() : replay(values.replay));
process.exitCode = failures === 0 ? 0 : 1;
