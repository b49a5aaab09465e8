import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createService } from "../../src/compose.ts";
import { createApp } from "../../src/server/api/app.ts";
import { EventFeed } from "../../src/server/api/event-feed.ts";
import { simpleService } from "../../src/server/testing/simple-service.ts";
import type { FrontmatterPolicy } from "../../src/vault/frontmatter-policy.ts";
import { createVault } from "../../src/vault/vault.ts";
import { CALLS, FILES } from "../mcp/calls.ts";
import { settledVault } from "../mcp/settled-vault.ts";
import { emptyDatabase } from "./team-database.ts";
import { furnish, indexed, openReplica, stamping } from "./team-home.ts";

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
async function answers(
  fetch: Fetch,
  settled: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const told: string[] = [];
  const ask = async (what: string, where: string, init: RequestInit = {}): Promise<void> => {
    const answer = await fetch(new Request(`http://x${where}`, init));
    const text = (await answer.text())
      .replaceAll(/History: \w+/gu, "History: ID")
      .replaceAll(/"(history|id|batch|undoes|undoneBy|undone_by)":"\w+"/gu, '"$1":"ID"')
      .replaceAll(/"version":"[^"]*"/gu, '"version":"V"')
      .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+Z)?)?/gu, "TIME");
    told.push(`${what}: ${answer.status} ${text}`);
    await settled();
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

/** What a database with the same files answers. */
async function teamsAnswers(root: string, frontmatter: FrontmatterPolicy): Promise<string[]> {
  const url = await emptyDatabase();
  const times = new Map<number, Record<string, Buffer>>();
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const stat = statSync(path.join(root, name));
    if (!stat.isFile()) continue;
    const modified = Math.floor(stat.mtimeMs);
    const files = { [name.normalize("NFC")]: readFileSync(path.join(root, name)) };
    times.set(modified, { ...times.get(modified), ...files });
  }
  for (const [modified, files] of times) await furnish(url, files, modified);
  await stamping(url, frontmatter);
  const home = await openReplica(url);
  await indexed(url);
  const told = await answers(home.fetch);
  expect(home.bugs).toEqual([]);
  return told;
}

const common = {
  now: () => new Date(),
  onBug: (error: unknown): void => expect.fail(String(error)),
  version: "test",
};

it("tools and looks over HTTP answer the same from a folder and from a database, byte for byte", async () => {
  const { root, state } = (await settledVault(FILES))();
  const disk = createVault({ root, state });
  onTestFinished(() => disk.close());
  const team = await teamsAnswers(root, "none");
  const simple = simpleService(disk);
  const events = new EventFeed({ service: simple });
  onTestFinished(() => events.close());
  const app = createApp({ ...common, service: simple, events });
  expect(team).toEqual(await answers(async (request) => app.fetch(request)));
});

it("they answer the same when notes get frontmatter, in a folder by its job and in a database as they are written", async () => {
  const { root, state } = (await settledVault(FILES))();
  // A database makes it when it is read.
  rmSync(path.join(root, "tree.md"));
  const looked = (told: string[]): string[] =>
    told.filter((each) => !each.startsWith("/api/raw?path=vault/tree.md"));
  const team = await teamsAnswers(root, "own");
  const service = await createService({ root, state, isWatching: false, frontmatter: "own" });
  onTestFinished(async () => service.close());
  await service.settled();
  const events = new EventFeed({ service });
  onTestFinished(() => events.close());
  const app = createApp({ ...common, service, events });
  const disk = await answers(
    async (request) => app.fetch(request),
    async () => service.settled(),
  );
  expect(looked(team)).toEqual(looked(disk));
});
