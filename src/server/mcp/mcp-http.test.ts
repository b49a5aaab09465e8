import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
} from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { describeSessions } from "../../testing/suites/sessions-suite.ts";
import { demoImage } from "../../testing/demo-image.ts";
import { createMcpHttp } from "./mcp-http.ts";
import { McpSessions } from "./mcp-sessions.ts";
import { createMcpServer } from "./mcp-server.ts";
import { clientOfService } from "../testing/owner.ts";
import { startPage, TOKEN, type TestPage } from "../testing/page.ts";

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const FILES = { "a.md": "The pump in the cellar\n", "plan.png": demoImage() };

const VERSIONS: readonly (readonly [string, ClientOptions])[] = [
  ["2024-11-05", { supportedProtocolVersions: ["2024-11-05"] }],
  ["2025-03-26", { supportedProtocolVersions: ["2025-03-26"] }],
  ["2025-06-18", { supportedProtocolVersions: ["2025-06-18"] }],
  ["2025-11-25", {}],
  ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
];

async function connect(
  { server }: TestPage,
  {
    name = "tester",
    where = "/mcp/update",
    ...options
  }: ClientOptions & { name?: string; where?: string } = {},
): Promise<Client> {
  const client = new Client({ name, version: "1" }, options);
  const url = new URL(where, `http://127.0.0.1:${server.address.port}`);
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    }),
  );
  onTestFinished(async () => client.close());
  return client;
}

describe("sessions of one process", () => {
  describeSessions(async () => {
    const { server } = await startPage({ files: { "a.md": "The pump\n" } });
    const at = `http://127.0.0.1:${server.address.port}/mcp`;
    return {
      fetch: async (profile, { headers, ...init }) =>
        fetch(`${at}/${profile}`, {
          ...init,
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            authorization: `Bearer ${TOKEN}`,
          },
        }),
    };
  });
});

describe("MCP over HTTP", () => {
  it.each(VERSIONS)("speaks %s: tools, images, resources, prompts", async (version, options) => {
    const page = await startPage({ files: FILES });
    const client = await connect(page, { name: "Café", ...options });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toHaveLength(8);
    const image = await client.callTool({ name: "read", arguments: { paths: "plan.png" } });
    expect(image.content).toMatchObject([
      { type: "text" },
      { type: "image", mimeType: "image/png" },
    ]);
    const append = { path: "b.md", content: "x", position: "top" };
    await client.callTool({ name: "append", arguments: append });
    expect(await page.vault.log({ path: null, limit: 1 })).toMatchObject([{ actor: "Café" }]);
    expect((await client.listResources()).resources).toHaveLength(3);
    expect((await client.listPrompts()).prompts).toHaveLength(1);
    expect(page.bugs).toEqual([]);
  });

  it("has nothing to write with under /mcp/search", async () => {
    const page = await startPage({ files: FILES });
    const client = await connect(page, { where: "/mcp/search" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "tree",
      "read",
      "search",
      "concat",
    ]);
    await expect(client.callTool({ name: "delete", arguments: { path: "a.md" } })).rejects.toThrow(
      'There is no tool "delete" here.',
    );
  });

  it.each(VERSIONS)(
    "tells of changes to what %s clients subscribed to",
    async (version, options) => {
      const page = await startPage({ files: FILES });
      const client = await connect(page, options);
      const told: string[] = [];
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
        told.push(params.uri);
      });
      const uri = "vault:///a.md";
      if (version < "2026") await client.subscribeResource({ uri });
      else await client.listen({ resourceSubscriptions: [uri] });
      // A client of the older protocols opens the stream on which it is told in its own time.
      await vi.waitFor(() => {
        page.report({ changed: ["a.md", "other.md"], created: [], gone: [] });
        expect(told).toContain(uri);
      }, 5000);
      expect(new Set(told)).toEqual(new Set([uri]));
    },
  );

  it("keeps what one session has read apart from another's, whatever they are called", async () => {
    const page = await startPage({ files: FILES });
    const [one, other] = [await connect(page), await connect(page)];
    await one.callTool({ name: "read", arguments: { paths: "a.md" } });
    const write = { name: "write", arguments: { path: "a.md", content: "Mended" } };
    expect(await other.callTool(write)).toMatchObject({ isError: true });
    expect((await one.callTool(write)).isError).toBeUndefined();
  });

  it("changes only what the address says", async () => {
    const page = await startPage({ files: FILES });
    const client = await connect(page, { where: "/mcp/update?write=projects/x/**&write=inbox" });
    const append = async (path: string): Promise<unknown> =>
      client.callTool({ name: "append", arguments: { path, content: "x", position: "top" } });
    expect(await append("inbox/b.md")).not.toHaveProperty("isError");
    expect(await append("a.md")).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("only to vault/projects/x/**, vault/inbox.") }],
    });
    const wrong = { method: "POST", headers: HEADERS, body: "{}" };
    expect((await page.call("/mcp/update?write=../x", wrong)).status).toBe(400);
  });

  it.each([
    ["/mcp/search?write=projects/x/**", "write bounds /mcp/update"],
    ["/mcp/update?preview=yes", "preview is true or 1"],
    ["/mcp/update?preview", "preview is true or 1"],
    ["/mcp/update?preview=true&preview=0", "preview is true or 1"],
  ])("refuses %s, whose bound would not hold", async (where, why) => {
    const page = await startPage({ files: FILES });
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
    const body = JSON.stringify(initialize);
    const { status, text } = await page.call(where, { method: "POST", headers: HEADERS, body });
    expect(`${status} ${text}`).toContain(why);
    expect(status).toBe(400);
  });

  it("refuses to bound the memory, whose tools take no paths", async () => {
    const { service } = await startPage({ files: FILES });
    const parts = { version: "1", now: () => new Date(), onBug: () => {} };
    const vault = clientOfService({ service, ...parts });
    const memory = createMcpHttp("memory", () => vault, parts);
    onTestFinished(async () => memory.close());
    const sent = { method: "POST", headers: HEADERS, body: "{}" };
    const request = new Request("http://x/mcp/memory?write=projects/x/**", sent);
    await expect(memory.fetch(request)).rejects.toThrow("write bounds /mcp/update");
  });

  it.each(["true", "1"])("changes nothing by itself with preview=%s", async (given) => {
    const page = await startPage({ files: FILES });
    const client = await connect(page, { where: `/mcp/update?preview=${given}` });
    const append = { path: "b.md", content: "x", position: "top" };
    await client.callTool({ name: "append", arguments: append });
    expect(await page.vault.log({ path: null, limit: 1 })).toEqual([]);
  });

  it("shows as much as the address says", async () => {
    const names = Array.from({ length: 200 }, (_, at) => [`note-${at}.md`, "x\n"] as const);
    const page = await startPage({ files: Object.fromEntries(names) });
    const tree = async (where: string): Promise<string> => {
      const client = await connect(page, { where });
      return JSON.stringify((await client.callTool({ name: "tree" })).content);
    };
    expect(await tree("/mcp/update")).toContain("note-99.md");
    expect(await tree("/mcp/update?max_tokens=100")).toMatch(/Cut at \d lines/u);
    const { status, text } = await page.call("/mcp/update?max_tokens=1", {
      method: "POST",
      headers: HEADERS,
      body: "{}",
    });
    expect(`${status} ${text}`).toMatch(/^400 .*max_tokens is a number from 100/u);
  });

  it.each([
    ["no token", {}, 401],
    ["another Host", { host: "evil.example", authorization: `Bearer ${TOKEN}` }, 403],
    ["another Origin", { origin: "http://evil.example", authorization: `Bearer ${TOKEN}` }, 403],
    ["an unknown session", { "mcp-session-id": "x", authorization: `Bearer ${TOKEN}` }, 404],
  ])("refuses %s", async (_, headers, expected) => {
    const page = await startPage({ files: FILES });
    const { status } = await page.ask("/mcp/update", {
      method: "POST",
      headers: {
        ...HEADERS,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(status).toBe(expected);
  });

  it.each([
    ["malformed JSON", "{", 400],
    ["no greeting", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }), 400],
    ["too large a body", JSON.stringify({ a: "x".repeat(9 * 1024 * 1024) }), 413],
  ])("answers %s clearly, and goes on", async (_, body, expected) => {
    const page = await startPage({ files: FILES });
    const { status, text } = await page.call("/mcp/update", {
      method: "POST",
      headers: HEADERS,
      body,
    });
    expect(status).toBe(expected);
    expect(text).toContain('"error"');
    const client = await connect(page);
    expect((await client.listTools()).tools).toHaveLength(8);
    expect(page.bugs).toEqual([]);
  });

  it("ends cleanly while clients listen", async () => {
    const page = await startPage({ files: FILES });
    const [modern = ["", {}]] = VERSIONS.slice(-1);
    await (await connect(page, modern[1])).listen({ resourcesListChanged: true });
    await connect(page);
    await page.server.close();
    await expect(page.call("/api/alive")).rejects.toThrow("ECONNREFUSED");
  });
});

/** Sessions of MCP clients, at most two, and two ways to use them. */
async function fewSessions(now: () => Date) {
  const { service } = await startPage({ files: FILES });
  const onBug = (): void => {};
  const sessions = new McpSessions({
    createServer: () =>
      createMcpServer({
        profile: "search",
        version: "1",
        vault: clientOfService({ service, now, onBug }),
        now,
        onBug,
        tells: "subscribed",
      }),
    maxBodyBytes: 1000,
    maxSessions: 2,
    maxIdle: 1000,
    now,
  });
  onTestFinished(async () => sessions.close());
  const greet = async (): Promise<string> => {
    const clientInfo = { name: "t", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const greeting = new Request("http://x/mcp", { method: "POST", headers: HEADERS, body });
    return (await sessions.fetch(greeting)).headers.get("mcp-session-id") ?? "";
  };
  const list = async (id: string): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const more = { ...HEADERS, "mcp-session-id": id };
    return (
      await sessions.fetch(new Request("http://x/mcp", { method: "POST", headers: more, body }))
    ).status;
  };
  return { sessions, greet, list };
}

it("forgets the session that was silent longest when there are too many", async () => {
  const started = new Date();
  const { sessions, greet, list } = await fewSessions(() => started);
  const [first, second] = [await greet(), await greet()];
  expect(await list(first)).toBe(200);
  const third = await greet();
  expect([await list(first), await list(second), await list(third)]).toEqual([200, 404, 200]);
  expect(sessions.size).toBe(2);
});

it("closes sessions that their clients left, and keeps those in use", async () => {
  let now = 0;
  const { sessions, greet, list } = await fewSessions(() => new Date(now));
  const [left, used] = [await greet(), await greet()];
  now = 900;
  expect(await list(used)).toBe(200);
  now = 1001;
  sessions.closeIdle();
  expect(sessions.size).toBe(1);
  expect([await list(left), await list(used)]).toEqual([404, 200]);
});
