import { writeFileSync } from "node:fs";
import path from "node:path";

import { Random } from "../../src/testing/random.ts";
import { anyInput } from "./generate.ts";
import type { Case, Input } from "./input.ts";
import { Target } from "./target.ts";

export interface FuzzOptions {
  readonly seed: number;
  /** Inputs on one vault. */
  readonly inputs: number;
  /** As `performance.now()`: no input is sent later. */
  readonly end: number;
}

export interface FuzzResult {
  /** How many of each kind were sent. */
  readonly sent: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

export interface Finding {
  /** Of the input: the seed makes the same again. */
  readonly at: number;
  readonly kind: string;
  readonly problem: string;
  /** The input, as a case for the corpus; null when it is about the vault as a whole. */
  readonly file: string | null;
}

/** Sends inputs to a service, which the seed decides, and looks after each. */
export async function runFuzz({ seed, inputs, end }: FuzzOptions): Promise<FuzzResult> {
  const random = new Random(seed);
  const sent = new Map<string, number>();
  const findings: Finding[] = [];
  const target = await Target.start();
  for (let at = 0; at < inputs && performance.now() < end; at += 1) {
    const input = anyInput(random);
    sent.set(input.kind, (sent.get(input.kind) ?? 0) + 1);
    const problems = await target.send(input);
    if (problems.length === 0) continue;
    const file = kept(target.folder, `${seed}-${at}`, input, problems);
    for (const problem of problems) findings.push({ at, kind: input.kind, problem, file });
    if (problems.some((each) => each.startsWith("the service ended"))) break;
  }
  const left = await target.close(findings.length > 0);
  for (const problem of left) findings.push({ at: -1, kind: "vault", problem, file: null });
  return { sent, findings };
}

function kept(folder: string, name: string, input: Input, problems: readonly string[]): string {
  const found: Case = { why: problems.join("; ").slice(0, 500), input };
  const file = path.join(folder, `found-${name}.json`);
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
  return file;
}
