import type { AuditLog, AuditRow } from "../../../team/audit/audit-log.ts";
import type { Team } from "../../../team/people/team.ts";
import { allTools } from "../../../tools/registry.ts";
import { checked } from "../../http/request.ts";
import { memoryTools } from "../../mcp/memory-tools.ts";
import type { GuardedHono } from "../guarded-app.ts";
import { eventOf, ownedVault } from "./asked-vault.ts";
import { AuditQuery, type AuditAnswer, type AuditJson } from "./contract.ts";

type AuditFormat = "csv" | "ndjson";

/** What only looks, as the audit calls it; whatever begins with `GET` besides. */
const LOOKING = [
  ...[...allTools, ...memoryTools].filter(({ effect }) => effect === "read"),
  { name: "POST /api/search" },
  { name: "POST /api/verify" },
].map(({ name }) => name);

const TYPES: Readonly<Record<AuditFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};
const COLUMNS = [
  "id",
  "at",
  "person",
  "name",
  "credential",
  "client",
  "call",
  "paths",
  "batch",
  "address",
  "outcome",
] as const;

/** What was done in a vault, for its owners: a page of it, or all as a file. */
export function addAuditRoute(app: GuardedHono, team: Team): void {
  app.get("/v/:name/api/team/audit", async (c) => {
    const vault = await ownedVault(c, team);
    const { person, since, changes, before, limit, format } = checked(
      AuditQuery,
      c.req.query(),
      "The query",
    );
    const query = {
      vault: vault.name,
      ...(person === undefined ? {} : { person }),
      ...(since === undefined ? {} : { since: new Date(since) }),
      ...(changes === "true" ? { without: LOOKING } : {}),
    };
    if (format === undefined) {
      const more = before === undefined ? {} : { before };
      const rows = await team.audit.list({ ...query, ...more, limit });
      const next = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
      return c.json({ rows: rows.map(auditJson), next } satisfies AuditAnswer);
    }
    await team.audit.add(eventOf(c, vault, { call: "audit exported" }));
    return c.body(textStream(linesOf(team.audit, query, format)), 200, {
      "content-type": TYPES[format],
      "content-disposition": `attachment; filename="${vault.name}-audit.${format}"`,
    });
  });
}

async function* linesOf(
  audit: AuditLog,
  query: Parameters<AuditLog["all"]>[0],
  format: AuditFormat,
): AsyncGenerator<string> {
  if (format === "csv") yield `${COLUMNS.join(",")}\r\n`;
  for await (const row of audit.all(query)) {
    const json = auditJson(row);
    yield format === "csv" ? csvLine(json) : `${JSON.stringify(json)}\n`;
  }
}

function auditJson(row: AuditRow): AuditJson {
  const { id, at, person, credential, client, call, paths, batch, address, outcome } = row;
  const what = { credential, client, call, paths: [...paths], batch, address, outcome };
  return { id, at: at.toISOString(), person, ...what };
}

function csvLine({ person, paths, ...row }: AuditJson): string {
  const cells = {
    ...row,
    person: person?.id,
    name: person?.name,
    // No path has a line break.
    paths: paths.join("\n"),
  };
  return `${COLUMNS.map((column) => csvCell(String(cells[column] ?? ""))).join(",")}\r\n`;
}

/** Names of people and clients are theirs to choose: a spreadsheet would run what begins like a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reads on only as fast as the client does. */
function textStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await lines.next();
      if (done === true) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
    cancel: async () => void (await lines.return(undefined)),
  });
}
