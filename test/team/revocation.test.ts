import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";

import { scriptedSettings, startScriptedModel } from "../../src/testing/models/scripted-model.ts";
import { findVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam, type ServedTeam } from "./served-team.ts";

const PATIENCE = { timeout: 30_000 };

/** Calls as one caller makes them, of one replica. */
function callerOf(at: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const send = async (path: string, body?: object): Promise<Response> =>
    fetch(`${at}/v/house${path}`, {
      headers,
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  return {
    status: async (path: string): Promise<number> => (await send(path)).status,
    text: async (path: string, body?: object): Promise<string> => (await send(path, body)).text(),
    write: async (path: string, content: string): Promise<string> =>
      (await send("/api/tools/write", { path: `vault/${path}`, content })).text(),
  };
}

/** What a stream brings, and whether it has ended. */
async function follow(where: string, headers: Readonly<Record<string, string>>) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const answer = await fetch(where, { headers, signal: abort.signal });
  const stream = { status: answer.status, text: "", hasEnded: false };
  void (async () => {
    try {
      for await (const piece of answer.body ?? []) stream.text += Buffer.from(piece).toString();
      stream.hasEnded = true;
    } catch {
      // Aborted.
    }
  })();
  return stream;
}

async function house(served: ServedTeam, roles: Parameters<typeof personWith>[3]) {
  const ana = await personWith(served, "Ana", "house", roles);
  const row = await findVaultRow(served.database, "house");
  const { team } = served;
  return {
    ana,
    row,
    set: async (folder: string, role: Parameters<typeof team.grants.set>[3]): Promise<void> =>
      team.grants.set(ana.id, row.id, folder, role),
  };
}

describe("on two replicas", () => {
  it("a lowered right counts at the next call, and ends the streams that are open", async () => {
    const served = await servedTeam({ replicas: 2 });
    const [a = "", b = ""] = served.addresses;
    const { ana, set } = await house(served, { "": "editor" });
    const operator = callerOf(a, TOKEN);
    const [atA, atB] = [callerOf(a, ana.token), callerOf(b, ana.token)];
    await operator.write("hr/pay.md", "the pay is secret\n");
    for (const caller of [atA, atB])
      expect(await caller.text("/api/raw?path=vault/hr/pay.md")).toContain("secret");
    const headers = { authorization: `Bearer ${ana.token}` };
    const streams = [
      await follow(`${a}/v/house/api/events`, headers),
      await follow(`${b}/v/house/api/events`, headers),
    ];
    await operator.write("hr/first.md", "x\n");
    for (const stream of streams)
      await expect.poll(() => stream.text, PATIENCE).toContain("hr/first.md");
    await set("hr", "none");
    for (const caller of [atA, atB]) {
      expect(await caller.status("/api/raw?path=vault/hr/pay.md")).toBe(404);
      expect(await caller.text("/api/tools/search", { queries: ["pay secret"] })).not.toContain(
        "hr",
      );
      expect(await caller.text("/api/files")).not.toContain("hr/");
    }
    await operator.write("hr/second.md", "x\n");
    for (const stream of streams) {
      await expect.poll(() => stream.hasEnded, PATIENCE).toBe(true);
      expect(stream.text).not.toContain("second");
    }
    // A new stream tells of what may be seen, and of nothing else.
    const again = await follow(`${b}/v/house/api/events`, headers);
    await operator.write("hr/third.md", "x\n");
    await operator.write("open.md", "x\n");
    await expect.poll(() => again.text, PATIENCE).toContain("open.md");
    expect(again.text).not.toContain("third");
    await set("", "viewer");
    for (const caller of [atA, atB])
      expect(await caller.write("mine.md", "x\n")).toContain("no_permission");
    await set("", "none");
    for (const caller of [atA, atB]) {
      const gone = await caller.text("/api/status");
      const nowhere = (
        await (await fetch(`${a}/v/nowhere/api/status`, { headers })).text()
      ).replaceAll("nowhere", "house");
      expect(gone).toBe(nowhere);
    }
    await set("", "editor");
    expect(await atB.write("mine.md", "x\n")).toContain("Created");
    await served.team.tokens.revoke(ana.tokenId);
    for (const caller of [atA, atB]) expect(await caller.status("/api/status")).toBe(401);
    expect(served.bugs).toEqual([]);
  });

  it("an MCP session has the rights of now, and belongs to one person", async () => {
    const served = await servedTeam({ replicas: 2 });
    const [a = "", b = ""] = served.addresses;
    const { ana, set } = await house(served, { "": "editor" });
    const bob = await personWith(served, "Bob", "house", { "": "editor" });
    await callerOf(a, TOKEN).write("hr/pay.md", "the pay is secret\n");
    const client = new Client({ name: "test", version: "1" });
    onTestFinished(async () => client.close());
    const transport = new StreamableHTTPClientTransport(new URL(`${a}/v/house/mcp/update`), {
      requestInit: { headers: { authorization: `Bearer ${ana.token}` } },
    });
    await client.connect(transport);
    const read = async (): Promise<string> =>
      JSON.stringify(
        await client.callTool({ name: "read", arguments: { paths: ["vault/hr/pay.md"] } }),
      );
    expect(await read()).toContain("secret");
    const id = transport.sessionId ?? "";
    const begun = {
      "mcp-session-id": id,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-06-18",
    };
    const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
    const go = async (at: string, token: string): Promise<number> =>
      (
        await fetch(`${at}/v/house/mcp/update`, {
          method: "POST",
          headers: { ...begun, authorization: `Bearer ${token}` },
          body: JSON.stringify(list),
        })
      ).status;
    expect([await go(a, ana.token), await go(b, ana.token)]).toEqual([200, 200]);
    // For anybody else there is no such session, not even for the operator.
    for (const token of [bob.token, TOKEN])
      expect([await go(a, token), await go(b, token)]).toEqual([404, 404]);
    await set("hr", "none");
    expect(await read()).not.toContain("secret");
    await served.team.people.disable(ana.id, true);
    await expect(read()).rejects.toThrow(/401|Log in/u);
    expect(await go(b, ana.token)).toBe(401);
    expect(served.bugs).toEqual([]);
  });

  it("a subscription of the protocol since 2026 ends before it tells of what is hidden by then", async () => {
    const served = await servedTeam({ replicas: 2 });
    const [a = "", b = ""] = served.addresses;
    const { ana, set } = await house(served, { "": "viewer" });
    const operator = callerOf(a, TOKEN);
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    onTestFinished(async () => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${b}/v/house/mcp/search`), {
        requestInit: { headers: { authorization: `Bearer ${ana.token}` } },
      }),
    );
    const told: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      told.push(params.uri);
    });
    const uris = ["vault:///hr/pay.md", "vault:///open.md"];
    await client.listen({ resourceSubscriptions: uris });
    await operator.write("hr/pay.md", "one\n");
    await expect.poll(() => told, PATIENCE).toEqual(["vault:///hr/pay.md"]);
    await set("hr", "none");
    await operator.text("/api/tools/append", {
      path: "vault/hr/pay.md",
      content: "two",
      position: "bottom",
    });
    await operator.write("open.md", "x\n");
    const events = await follow(`${b}/v/house/api/events`, {
      authorization: `Bearer ${ana.token}`,
    });
    await operator.write("later.md", "x\n");
    await expect.poll(() => events.text, PATIENCE).toContain("later.md");
    expect(told).toEqual(["vault:///hr/pay.md"]);
    expect(served.bugs).toEqual([]);
  });
});

/** What ends what somebody holds, and how it is shown. */
const ENDS: readonly (readonly [
  what: string,
  end: (
    served: ServedTeam,
    by: { readonly person: string; readonly token: string; readonly cookie: string },
  ) => Promise<unknown>,
  isSession: boolean,
])[] = [
  ["its token is revoked", async ({ team }, { token }) => team.tokens.revoke(token), false],
  ["its person is shut out", async ({ team }, { person }) => team.shutOut(person), false],
  ["its session is logged out", async ({ team }, { cookie }) => team.sessions.end(cookie), true],
  [
    "its person logs out everywhere",
    async ({ team }, { person }) => team.sessions.endAll(person),
    true,
  ],
];

it.each(ENDS)(
  "a stream that is open on another replica ends when %s",
  async (_, end, isSession) => {
    const served = await servedTeam({ replicas: 2 });
    const [a = "", b = ""] = served.addresses;
    const { ana } = await house(served, { "": "viewer" });
    const { cookie } = await served.team.sessions.start(ana.id);
    const headers: Readonly<Record<string, string>> = isSession
      ? { cookie: `coffre-session=${cookie}` }
      : { authorization: `Bearer ${ana.token}` };
    const stream = await follow(`${b}/v/house/api/events`, headers);
    const operator = callerOf(a, TOKEN);
    await operator.write("before.md", "x\n");
    await expect.poll(() => stream.text, PATIENCE).toContain("before.md");
    await end(served, { person: ana.id, token: ana.tokenId, cookie });
    await operator.write("after.md", "x\n");
    await expect.poll(() => stream.hasEnded, PATIENCE).toBe(true);
    expect(stream.text).not.toContain("after");
    expect((await fetch(`${b}/v/house/api/events`, { headers })).status).toBe(401);
    expect(served.bugs).toEqual([]);
  },
);

it.each([
  ["a folder is hidden", false],
  ["its token is revoked", true],
])("the stream of an MCP session of before 2026 ends when %s", async (_, isRevoked) => {
  const served = await servedTeam({ replicas: 2 });
  const [a = "", b = ""] = served.addresses;
  const { ana, set } = await house(served, { "": "viewer" });
  const operator = callerOf(a, TOKEN);
  await operator.write("hr/pay.md", "one\n");
  const mcp = `${b}/v/house/mcp/search`;
  const headers: Record<string, string> = {
    authorization: `Bearer ${ana.token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const send = async (body: object): Promise<Response> =>
    fetch(mcp, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...body }) });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const begun = await send({ id: 1, method: "initialize", params });
  headers["mcp-session-id"] = begun.headers.get("mcp-session-id") ?? "";
  headers["mcp-protocol-version"] = "2025-06-18";
  expect((await send({ method: "notifications/initialized" })).status).toBe(202);
  const uri = "vault:///hr/pay.md";
  const subscribed = await send({ id: 2, method: "resources/subscribe", params: { uri } });
  expect([subscribed.status, await subscribed.text()]).toEqual([
    200,
    expect.stringContaining('"result":{}'),
  ]);
  const stream = await follow(mcp, headers);
  expect(stream.status).toBe(200);
  const append = async (content: string): Promise<string> =>
    operator.text("/api/tools/append", { path: "vault/hr/pay.md", content, position: "bottom" });
  await append("two");
  await expect.poll(() => stream.text, PATIENCE).toContain(uri);
  const before = stream.text;
  if (isRevoked) await served.team.tokens.revoke(ana.tokenId);
  else await set("hr", "none");
  await append("three");
  await expect.poll(() => stream.hasEnded, PATIENCE).toBe(true);
  expect(stream.text).toBe(before);
  expect(served.bugs).toEqual([]);
});

it("the history names people, and an undo says whose change it took back", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const { ana } = await house(served, { "": "editor" });
  const bob = await personWith(served, "Bob", "house", { "": "editor" });
  const [one, other] = [callerOf(at, ana.token), callerOf(at, bob.token)];
  await one.write("a.md", "first\n");
  const history = await other.text("/api/history");
  expect(history).toContain('"actor":"Ana (http)"');
  const id = /"id":"([^"]+)"/u.exec(history)?.[1];
  expect(await other.text("/api/undo", { id })).toContain('"made_by":["Ana (http)"]');
  const own = /"id":"([^"]+)"/u.exec(await other.text("/api/history"))?.[1];
  expect(await other.text("/api/undo", { id: own })).not.toContain("made_by");
});

describe("what was handed over", () => {
  it("is filed with the rights of then, by whichever replica, and fails when they are gone", async () => {
    const waiting = Promise.withResolvers<void>();
    const model = await startScriptedModel("openai", ({ body }) =>
      body.includes('"role":"tool"')
        ? { text: "Done." }
        : {
            until: waiting.promise,
            calls: [
              {
                name: "write",
                args: { path: "vault/work/agent.md", content: "# Agent\n\nwas here\n" },
              },
            ],
          },
    );
    onTestFinished(() => model.close());
    const served = await servedTeam({ replicas: 2, model: scriptedSettings(model) });
    const [a = "", b = ""] = served.addresses;
    const { ana, set } = await house(served, { "": "editor" });
    const bob = await personWith(served, "Bob", "house", { "": "editor" });
    const [atA, atB] = [callerOf(a, ana.token), callerOf(b, ana.token)];
    const give = async (): Promise<string> => {
      const answer = await atA.text("/api/update", { content: "Note it.", said_by_person: true });
      return /"id":"([^"]+)"/u.exec(answer)?.[1] ?? answer;
    };
    const running = await give();
    const queued = await give();
    await expect
      .poll(async () => atB.text(`/api/updates/${running}`), PATIENCE)
      .toContain('"running"');
    // Another person sees neither, nor that there are any.
    const other = callerOf(b, bob.token);
    expect(await other.text(`/api/updates/${running}`)).toContain("There is no update");
    expect(await other.text("/api/updates")).toBe('{"updates":[]}');
    expect(await other.text("/api/status")).toContain('"queue":{"waiting":0,"running":0}');
    for (const way of ["cancel", "retry", "accept", "reject"])
      expect(await other.text(`/api/updates/${queued}/${way}`, {})).toMatch(
        /There is no update|cannot show changes/u,
      );
    await set("", "viewer");
    waiting.resolve();
    for (const id of [running, queued]) {
      await expect.poll(async () => atB.text(`/api/updates/${id}`), PATIENCE).toContain('"failed"');
    }
    expect(await atB.text(`/api/updates/${queued}`)).toContain(
      "Who handed this over may no longer change this vault.",
    );
    expect(await callerOf(a, TOKEN).text("/api/files")).not.toContain("agent.md");
    // What only reads is refused before it waits.
    expect(await give()).toContain("no_permission");
    await set("", "editor");
    expect(await atB.text(`/api/updates/${queued}/retry`, {})).toContain('"waiting"');
    await expect.poll(async () => atA.text(`/api/updates/${queued}`), PATIENCE).toContain('"done"');
    const history = await atA.text("/api/history?limit=5");
    expect(history).toContain("Ana (update agent)");
    const rows = await served.team.audit.list({ person: ana.id, limit: 100 });
    expect(rows).toContainEqual(
      expect.objectContaining({ client: "update agent", paths: ["vault/work/agent.md"] }),
    );
    // What an agent said is not shown to somebody who may no longer read what it saw.
    await set("work", "none");
    const shown = await atA.text(`/api/updates/${queued}`);
    expect(shown).not.toContain("agent.md");
    expect(shown).toContain("Your rights have changed since");
    expect(served.bugs).toEqual([]);
  });
});
