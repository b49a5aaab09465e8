import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { fillIndex } from "../../src/index/fill-index.ts";
import { createTeamIndex } from "../../src/index/create-index.ts";
import { createApp } from "../../src/server/api/app.ts";
import { EventFeed } from "../../src/server/api/event-feed.ts";
import { ServedVault } from "../../src/server/team/served-vault.ts";
import { simpleService } from "../../src/server/testing/simple-service.ts";
import { Notices } from "../../src/storage/postgres/notices.ts";
import { TeamService } from "../../src/team/team-service.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { createVault } from "../../src/vault/vault.ts";
import { CALLS, FILES } from "../mcp/calls.ts";
import { settledVault } from "../mcp/settled-vault.ts";
import { BY_OPERATOR } from "./served-team.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";
import { fill } from "./team-vault.ts";

/** Looks that the page and scripts take over HTTP, after the calls of the tools. */
const LOOKS = [
  "/api/tree",
  "/api/tree?depth=1",
  "/api/files",
  "/api/history?limit=100",
  "/api/tags",
  "/api/links/dead",
  "/api/places?q=a&limit=10",
  "/api/filters?typed=t",
  "/api/properties?limit=20",
  "/api/raw?path=vault/tree.md",
  "/api/note?path=vault/nowhere.md",
];

type Fetch = (request: Request) => Promise<Response>;

/** The answers to every call and look, without what no two services share: ids, times and versions. */
async function answers(fetch: Fetch): Promise<string[]> {
  const told: string[] = [];
  const ask = async (what: string, where: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch(new Request(`http://x${where}`, init));
    const text = (await answer.text())
      .replaceAll(/History: \w+/gu, "History: ID")
      .replaceAll(/"(history|id|batch|undoes|undoneBy|undone_by)":"\w+"/gu, '"$1":"ID"')
      .replaceAll(/"version":"[^"]*"/gu, '"version":"V"')
      .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+Z)?)?/gu, "TIME");
    told.push(`${what}: ${answer.status} ${text}`);
  };
  const headers = { "content-type": "application/json", "coffre-client": "test" };
  for (const { what, tool, args } of CALLS) {
    const profile = tool === "concat" ? "search" : "update";
    const body = JSON.stringify(args);
    const init = { method: "POST", headers, body };
    await ask(what, `/api/tools/${tool}?profile=${profile}`, init);
  }
  for (const look of LOOKS) await ask(look, look);
  return told;
}

it("tools and looks over HTTP answer the same from a folder and from a database, byte for byte", async () => {
  const { root, state } = (await settledVault(FILES))();
  const disk = createVault({ root, state });
  onTestFinished(() => disk.close());
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, "same");
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(path.join(root, name));
    if (!stat.isFile()) continue;
    const files = { [name.normalize("NFC")]: readFileSync(path.join(root, name)) };
    await fill(database, row, files, Math.floor(stat.mtimeMs));
  }
  const notices = new Notices(url);
  await notices.start();
  onTestFinished(async () => notices.close());
  const onBug = (error: unknown): void => expect.fail(String(error));
  const common = { now: () => new Date(), onBug };
  // Nobody stamps on the disk here.
  await database.execute("INSERT INTO vault_settings VALUES ($1, 'frontmatter', '\"none\"')", [
    row.id,
  ]);
  const service = await TeamService.open({
    ...common,
    database,
    notices,
    row,
    scratch: temporaryFolder(),
    model: null,
    dailyTokens: null,
    ingest: {},
  });
  const served = new ServedVault({ ...common, database, row, service, version: "test" });
  onTestFinished(async () => served.close());
  const filled = new PostgresVault({ database, row });
  await fillIndex(filled, await createTeamIndex(database, row));
  const simple = simpleService(disk);
  const events = new EventFeed({ service: simple });
  onTestFinished(() => events.close());
  const app = createApp({ ...common, service: simple, events, version: "test" });
  const team = await answers(async (request) => served.fetch(request, {}, BY_OPERATOR));
  expect(team).toEqual(await answers(async (request) => app.fetch(request)));
});
