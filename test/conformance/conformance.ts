import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { z } from "zod";

import { temporaryFolder } from "../../src/testing/temporary-vault.ts";

export const PACKAGES = {
  /** The last release; it knows the protocol up to 2025-11-25. */
  stable: "conformance-stable",
  /** The next one, which also knows 2026-07-28. */
  next: "@modelcontextprotocol/conformance",
} as const;

const Checks = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

export interface ConformanceRun {
  readonly suite: keyof typeof PACKAGES;
  readonly url: string;
  /** The version of the protocol. */
  readonly version: string;
}

/** What came of one scenario. */
export interface Outcome {
  readonly failed: readonly string[];
  readonly passed: number;
}

/** Runs the official suite against a server; what came of each scenario, by its name. */
export async function runSuite({
  suite,
  url,
  version,
}: ConformanceRun): Promise<ReadonlyMap<string, Outcome>> {
  const output = temporaryFolder();
  const program = path.join(import.meta.dirname, "node_modules", PACKAGES[suite], "dist/index.js");
  const argv = [program, "server", "--url", url, "--suite", "all", "-o", output];
  const more = suite === "next" ? ["--spec-version", version] : [];
  // It ends with another code than 0 when a check failed, also one of a scenario that is not for us; the checks themselves say more.
  await promisify(execFile)(process.execPath, [...argv, ...more], {
    cwd: output,
    maxBuffer: 100_000_000,
  }).catch(() => {});
  const outcomes = new Map<string, Outcome>();
  for (const folder of readdirSync(output)) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT/u.exec(folder)?.[1];
    if (name === undefined) continue;
    const file = path.join(output, folder, "checks.json");
    outcomes.set(name, outcomeOf(Checks.parse(JSON.parse(readFileSync(file, "utf8")))));
  }
  return outcomes;
}

function outcomeOf(checks: z.infer<typeof Checks>): Outcome {
  return {
    failed: checks
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ""}`),
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
  };
}
