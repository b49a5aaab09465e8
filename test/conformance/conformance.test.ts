import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { serve, temporaryPlace } from "../../src/cli/testing/cli.ts";
import { serveMcpHttp } from "../../src/server/mcp/mcp-http.ts";
import { reached } from "../mcp/reached.ts";
import { PACKAGES, runSuite, type ConformanceRun } from "./conformance.ts";
import { createFixtureServer } from "./fixture-server.ts";
import { listening, withHeader } from "./listening.ts";

/** What the suite can test on a server as it is: here, a `coffre serve`. */
const REAL = {
  "2025-11-25": `server-initialize server-session-lifecycle ping tools-list resources-list prompts-list dns-rebinding-protection
    server-sse-multiple-streams`,
  "2026-07-28": `tools-list resources-list sep-2164-resource-not-found prompts-list dns-rebinding-protection caching
    http-header-validation server-sse-multiple-streams input-required-result-unsupported-methods`,
};

/** What needs tools, resources and prompts of the suite's own. */
const FIXTURES = {
  "2025-11-25": `completion-complete tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource
    tools-call-mixed-content tools-call-error tools-call-with-progress tools-call-elicitation json-schema-2020-12
    elicitation-sep1034-defaults elicitation-sep1330-enums resources-read-text resources-read-binary resources-templates-read
    resources-subscribe resources-unsubscribe prompts-get-simple prompts-get-with-args prompts-get-embedded-resource
    prompts-get-with-image`,
  "2026-07-28": `server-stateless completion-complete tools-call-simple-text tools-call-image tools-call-audio
    tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress json-schema-2020-12
    resources-read-text resources-read-binary resources-templates-read prompts-get-simple prompts-get-with-args
    prompts-get-embedded-resource prompts-get-with-image input-required-result-basic-elicitation input-required-result-request-state
    input-required-result-multi-round input-required-result-missing-input-response input-required-result-non-tool-request
    input-required-result-result-type input-required-result-tampered-state input-required-result-ignore-extra-params
    input-required-result-validate-input`,
};

/*
 * Left out, as coffre declares or uses none of it: logging and sampling and roots (deprecated in 2026-07-28), parameters that
 * are mirrored in headers (`x-mcp-header`), tasks, skills. The suite's scenario for undeclared capabilities wants sampling too. `server-sse-polling` is about streams that the server ends early, which ours does not.
 */

const RUNS = [
  { suite: "stable", version: "2025-11-25" },
  { suite: "next", version: "2025-11-25" },
  { suite: "next", version: "2026-07-28" },
] as const;

/** New in the next release of the suite. */
const ONLY_NEXT = new Set(["server-session-lifecycle"]);

function namesOf(scenarios: string, suite: ConformanceRun["suite"]): string[] {
  return scenarios.split(/\s+/u).filter((name) => suite === "next" || !ONLY_NEXT.has(name));
}

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** What docs/connect.md says of a run. */
function reportOf(suite: ConformanceRun["suite"], version: keyof typeof REAL): string {
  const manifest = readFileSync(path.join(import.meta.dirname, "package.json"), "utf8");
  const installed = Manifest.parse(JSON.parse(manifest)).dependencies[PACKAGES[suite]] ?? "";
  const counts = [REAL, FIXTURES].map((each) => namesOf(each[version], suite).length);
  return `| ${installed.replace(/^npm:.*@/u, "")} | ${version} | ${counts.join(" | ")} | none |`;
}

/** What failed of these scenarios, and which of them had no check that passed. */
async function problems(
  scenarios: string,
  run: ConformanceRun,
): Promise<{ readonly failed: string[]; readonly withoutChecks: string[] }> {
  const names = namesOf(scenarios, run.suite);
  const outcomes = await runSuite(run);
  const failed = names.flatMap(
    (name) => outcomes.get(name)?.failed.map((each) => `${name}: ${each}`) ?? [],
  );
  const withoutChecks = names.filter((name) => (outcomes.get(name)?.passed ?? 0) === 0);
  return { failed, withoutChecks };
}

const NONE = { failed: [], withoutChecks: [] };

describe.each(RUNS)("the official suite ($suite), $version", ({ suite, version }) => {
  it("is in the report", () => {
    const report = readFileSync(path.join(import.meta.dirname, "../../docs/connect.md"), "utf8");
    expect(report.split("\n")).toContain(reportOf(suite, version));
  });

  it("passes on a vault", async () => {
    const place = temporaryPlace({ "a.md": "The pump in the cellar\n" });
    await serve(place);
    const { mcp, headers } = reached(place);
    const address = await withHeader(mcp("update"), headers);
    const run = { suite, version, url: `${address}/mcp/update` };
    expect(await problems(REAL[version], run)).toEqual(NONE);
  });

  it("passes on its own tools, resources and prompts", async () => {
    const http = serveMcpHttp({
      createServer: () => createFixtureServer(),
      follow: () => () => {},
      isStreaming: true,
      now: () => new Date(),
      onBug: (error) => {
        throw error;
      },
    });
    const address = await listening(async (request) => http.fetch(request));
    const run = { suite, version, url: `${address}/mcp` };
    expect(await problems(FIXTURES[version], run)).toEqual(NONE);
    await http.close();
  });
});
