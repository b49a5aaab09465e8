import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { textOfResult } from "../../cli/testing/mcp-client.ts";
import { createService } from "../../compose.ts";
import { home } from "../../testing/service-home.ts";
import { createApp } from "../api/app.ts";
import { createMcpServers } from "./mcp-http.ts";

it.each(["update", "search"])("over HTTP, %s does not see what is private", async (profile) => {
  const { root, state } = home({ "journal/diary.md": "The kiln.\n", "a.md": "The kiln.\n" });
  const onBug = (error: unknown): void => {
    throw error;
  };
  const service = await createService({ root, state, memory: { model: null, onBug } });
  onTestFinished(async () => service.close());
  await service.privates.add("journal", service.vault);
  await service.settled();
  const { memory } = service;
  const now = (): Date => new Date();
  const app = createApp({ service, memory, version: "1", now, onBug });
  const servers = createMcpServers(app, { memory, version: "1", now, onBug });
  const server = servers.get(profile);
  const client = new Client({ name: "tester", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://coffre/mcp/${profile}`), {
      fetch: async (url, init) => server?.fetch(new Request(url, init)) ?? Response.error(),
    }),
  );
  onTestFinished(async () => {
    await client.close();
    for (const each of servers.values()) await each.close();
  });
  const tree = textOfResult(await client.callTool({ name: "tree", arguments: {} }));
  expect(tree).toContain("a.md");
  expect(tree).not.toContain("journal");
  const { resources } = await client.listResources();
  expect(resources.map(({ name }) => name)).not.toContain("vault/journal/diary.md");
  // A person's request to the same app sees it.
  const answer = await app.request("/api/entry?path=vault/journal");
  expect(await answer.json()).toMatchObject({ kind: "folder" });
  const hidden = await app.request("/api/entry?path=vault/journal", {
    headers: { "coffre-reader": "model" },
  });
  expect(await hidden.json()).toEqual({ kind: "missing", entries: [] });
  // Nor can it be asked what is hidden, or to show it.
  const asked = await app.request("/api/private", { headers: { "coffre-reader": "model" } });
  expect(asked.status).toBe(404);
  const shown = await app.request("/api/private", {
    method: "POST",
    body: '{"remove":["journal"]}',
  });
  expect(shown.status).toBe(403);
  expect(service.privates.paths).toEqual(["journal"]);
});

it("an answer to the inbox that comes through a client names no private project", async () => {
  const { root, state } = home({
    "projects/boat/state.md": "The pump.\n",
    "projects/diary/state.md": "Mine.\n",
    "inbox/2026-01-31-x/original.md": "A note.\n",
  });
  const onBug = (error: unknown): void => {
    throw error;
  };
  const service = await createService({ root, state, memory: { model: null, onBug } });
  onTestFinished(async () => service.close());
  await service.privates.add("projects/diary", service.vault);
  const { memory } = service;
  const app = createApp({ service, memory, version: "1", now: () => new Date(), onBug });
  const answer = async (headers: Record<string, string>, content: string): Promise<string> => {
    const body = JSON.stringify({ content, inbox_ref: "2026-01-31-x" });
    const said = { ...headers, "coffre-voice": "person" };
    return (await app.request("/api/update", { method: "POST", body, headers: said })).text();
  };
  const told = await answer({ "coffre-reader": "model" }, "nowhere");
  expect(told).toContain("boat");
  expect(told).not.toContain("diary");
  expect(await answer({ "coffre-reader": "model" }, "diary")).toContain("names no project");
  expect(await answer({}, "nowhere")).toContain("diary");
  expect(await answer({}, "diary")).toContain("accepted");
});
