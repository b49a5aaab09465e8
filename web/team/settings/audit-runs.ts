import type { AuditJson } from "../../../src/server/team/people/contract.ts";

/** Calls that stand as one line: one that did something, or all that somebody looked at meanwhile. */
export interface AuditRun {
  /** The newest. */
  readonly row: AuditJson;
  /** What was called, each once, the newest first. */
  readonly calls: readonly string[];
  readonly count: number;
}

/** An open page asks for much by itself: what somebody only looked at, one after the other, is put together. */
export function auditRuns(rows: readonly AuditJson[]): AuditRun[] {
  const runs: AuditRun[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last === undefined || !isLook(row) || !isLook(last.row) || whoOf(row) !== whoOf(last.row))
      runs.push({ row, calls: [row.call], count: 1 });
    else {
      const calls = last.calls.includes(row.call) ? last.calls : [...last.calls, row.call];
      runs[runs.length - 1] = { ...last, calls, count: last.count + 1 };
    }
  }
  return runs;
}

function isLook({ call, paths, outcome }: AuditJson): boolean {
  return call.startsWith("GET ") && paths.length === 0 && outcome === "done";
}

function whoOf({ person, client, credential, address }: AuditJson): string {
  return JSON.stringify([person?.id, client, credential, address]);
}

/** The program alone: the history has it beside the name of its person. */
export function programOf(client: string): string {
  return /\(([^()]*)\)$/u.exec(client)?.[1] ?? client;
}
