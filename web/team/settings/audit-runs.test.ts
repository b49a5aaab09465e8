import { expect, it } from "vitest";

import type { AuditJson } from "../../../src/server/team/people/contract.ts";
import { auditRuns, programOf } from "./audit-runs.ts";

const ADA = { id: "1", name: "Ada" };
const BO = { id: "2", name: "Bo" };

function row(given: Partial<AuditJson>): AuditJson {
  const nothing = { credential: null, client: null, paths: [], batch: null, address: null };
  const at = "2026-11-18T10:00:00.000Z";
  return { id: 1, at, person: ADA, call: "GET /api/tree", outcome: "done", ...nothing, ...given };
}

it("puts together what somebody only looked at, and nothing else", () => {
  const runs = auditRuns([
    row({ id: 9 }),
    row({ id: 8, call: "GET /api/status" }),
    row({ id: 7 }),
    row({ id: 6, person: BO }),
    row({ id: 5, call: "edit", paths: ["vault/a.md"] }),
    row({ id: 4, call: "edit", paths: ["vault/a.md"] }),
    row({ id: 3, outcome: "no_permission" }),
    row({ id: 2 }),
  ]);
  expect(runs.map(({ row: { id }, calls, count }) => [id, calls, count])).toEqual([
    [9, ["GET /api/tree", "GET /api/status"], 3],
    [6, ["GET /api/tree"], 1],
    [5, ["edit"], 1],
    [4, ["edit"], 1],
    [3, ["GET /api/tree"], 1],
    [2, ["GET /api/tree"], 1],
  ]);
});

it("names the program without its person", () => {
  expect(programOf("Ada (claude-code)")).toBe("claude-code");
  expect(programOf("cli")).toBe("cli");
});
