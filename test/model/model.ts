import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import fc from "fast-check";

import { anySteps, Real, type Model } from "./commands.ts";

export interface ModelRun {
  readonly seed: number;
  /** Vaults, each with a sequence of steps. */
  readonly runs: number;
  readonly steps: number;
}

/** Does anything to real vaults, and compares each with a model after every step. Throws with seed and steps when one differs. */
export async function runModel({ seed, runs, steps }: ModelRun): Promise<void> {
  const property = fc.asyncProperty(anySteps(steps), async (commands) => {
    const folder = mkdtempSync(path.join(tmpdir(), "coffre-model-"));
    const real = new Real(folder);
    const model: Model = { texts: new Map([["overview.md", "La situation.\n"]]), done: [] };
    try {
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await real.close();
    } finally {
      await real.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  // What happens depends on the moment too, so shorter sequences prove little, and take long to find.
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
}
