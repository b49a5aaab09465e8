import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { Proxy } from "./proxy.ts";
import { ask, callTool, freePort, post, Replica, TOKEN } from "./replica.ts";
import { emptyDatabase } from "./team-database.ts";

let [a, b]: Replica[] = [];
let proxy: Proxy;
let url = "";
let link = "";

beforeAll(async () => {
  url = await emptyDatabase();
  const [atA, atB, atProxy] = [await freePort(), await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${atProxy}`;
  a = new Replica({ url, port: atA, publicUrl });
  b = new Replica({ url, port: atB, publicUrl });
  await a.started();
  ({ link } = await b.started());
  proxy = new Proxy(atProxy, [atA, atB]);
  await proxy.started();
});

afterAll(async () => {
  await proxy.end();
  await a?.end("SIGTERM");
  await b?.end("SIGTERM");
});

/** The addresses of a new vault, on both replicas and through the proxy. */
async function newVault(name: string): Promise<Readonly<Record<"a" | "b" | "proxy", string>>> {
  const made = await post(`${proxy.address}/api/vaults`, { name });
  expect(made.status).toBe(201);
  return {
    a: `${a?.address}/v/${name}`,
    b: `${b?.address}/v/${name}`,
    proxy: `${proxy.address}/v/${name}`,
  };
}

/** Events as they come, until the test ends. */
async function follow(vault: string): Promise<string[]> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const answer = await ask(`${vault}/api/events`, { signal: abort.signal });
  const events: string[] = [];
  void (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of answer.body ?? []) events.push(decoder.decode(piece));
    } catch {
      // Aborted.
    }
  })();
  return events;
}

describe("two replicas", () => {
  it("a read on one counts for an edit on the other, and what one writes the other finds at once", async () => {
    const vault = await newVault("ledger");
    const path = "vault/roof.md";
    await callTool(vault.a, "write", { path, content: "# Roof\n\nTiles are red.\n" });
    const edit = { path, old_content: "Tiles are red.", new_content: "Tiles are slate." };
    const unread = await callTool(vault.b, "edit", edit, "somebody");
    expect(unread.text).toContain("was not read in this session");
    expect((await callTool(vault.a, "read", { paths: [path] }, "somebody")).isError).toBe(false);
    expect(await callTool(vault.b, "edit", edit, "somebody")).toMatchObject({ isError: false });
    const found = await callTool(vault.a, "search", { queries: ["slate"] });
    expect(found.text).toContain("vault/roof.md");
    // Its own edit on B counts on A too; another client's does not.
    const next = { path, old_content: "Tiles are slate.", new_content: "Tiles are new." };
    expect((await callTool(vault.a, "edit", next, "another")).isError).toBe(true);
    expect((await callTool(vault.a, "edit", next, "somebody")).isError).toBe(false);
  });

  it("a page at one hears what is written at the other", async () => {
    const vault = await newVault("events");
    const events = await follow(vault.b);
    await callTool(vault.a, "write", { path: "vault/new.md", content: "new\n" });
    await expect.poll(() => events.join("")).toContain('"created":["vault/new.md"]');
  });

  it("an undo on one takes back what the other wrote", async () => {
    const vault = await newVault("undo");
    const wrote = await callTool(vault.a, "write", { path: "vault/x.md", content: "x\n" });
    const [, id] = /"history":"(\w+)"/u.exec(wrote.text) ?? [];
    expect((await post(`${vault.b}/api/undo`, { id })).status).toBe(200);
    expect((await callTool(vault.a, "read", { paths: ["vault/x.md"] })).isError).toBe(true);
  });

  it("what is given to one is filed, and known to the other", async () => {
    const vault = await newVault("memory");
    const given = await post(`${vault.a}/api/update`, { content: "The roof leaks." });
    expect(given.status).toBe(202);
    const [, id] = /"id":"([^"]+)"/u.exec(await given.text()) ?? [];
    const status = async (): Promise<unknown> =>
      /"status":"(\w+)"/u.exec(await (await ask(`${vault.b}/api/updates/${id}`)).text())?.[1];
    // Without a model it waits in the inbox.
    await expect.poll(status, { timeout: 20_000 }).toBe("parked");
    expect(await (await ask(`${vault.b}/api/inbox`)).text()).toContain("roof");
  });

  it("a file that is ingested on one is read on the other", async () => {
    const vault = await newVault("ingest");
    const form = new FormData();
    form.set("file", new File(["name,age\nAda,36\n"], "people.csv"));
    const answer = await ask(`${vault.a}/api/ingest`, { method: "POST", body: form });
    expect(answer.status).toBe(200);
    expect((await callTool(vault.b, "search", { queries: ["Ada"] })).text).toContain("people");
  });

  it("what is private is hidden on both", async () => {
    const vault = await newVault("private");
    await callTool(vault.a, "write", { path: "vault/journal/a.md", content: "secret\n" });
    await callTool(vault.a, "write", { path: "vault/other.md", content: "other\n" });
    const seen = async (): Promise<string> =>
      (
        await ask(`${vault.b}/api/tools/tree`, {
          method: "POST",
          body: "{}",
          headers: { "coffre-reader": "model", "content-type": "application/json" },
        })
      ).text();
    expect(await seen()).toContain("journal");
    const cookie = await letIn();
    const marked = await fetch(`${vault.a}/api/private`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ add: ["vault/journal"] }),
    });
    expect(marked.status).toBe(200);
    await expect.poll(seen).not.toContain("journal");
    expect(await seen()).toContain("other.md");
  });
});

/** What a browser has after it followed a link; each link lets in once. */
let cookie: Promise<string> | null = null;
async function letIn(): Promise<string> {
  cookie ??= fetch(link, { redirect: "manual" }).then(
    (answer) => answer.headers.get("set-cookie")?.split(";")[0] ?? "",
  );
  return cookie;
}

describe("through a proxy", () => {
  it("a browser is let in once, sees the vaults, and opens one", async () => {
    await newVault("page");
    expect((await fetch(`${proxy.address}/`, { headers: { accept: "text/html" } })).status).toBe(
      200,
    );
    const headers = { cookie: await letIn(), accept: "text/html" };
    expect((await fetch(link, { redirect: "manual" })).status).toBe(401);
    const list = await (await fetch(`${proxy.address}/`, { headers })).text();
    expect(list).toContain('<a href="/v/page/">page</a>');
    expect((await fetch(`${proxy.address}/v/page/inbox`, { headers })).status).toBe(200);
    expect((await fetch(`${proxy.address}/v/nowhere/`, { headers })).status).toBe(404);
    const status = await fetch(`${proxy.address}/v/page/api/status`, {
      headers: { cookie: headers.cookie },
    });
    expect(await status.json()).toMatchObject({ vault: "page" });
  });

  it("nothing is answered without the token, but health", async () => {
    const vault = await newVault("closed");
    for (const where of [
      `${vault.proxy}/api/status`,
      `${proxy.address}/api/vaults`,
      `${proxy.address}/metrics`,
    ])
      expect((await fetch(where)).status).toBe(401);
    const wrong = { authorization: "Bearer wrong" };
    expect((await fetch(`${vault.proxy}/mcp/update`, { headers: wrong })).status).toBe(401);
    expect(await (await fetch(`${proxy.address}/readyz`)).text()).toBe("ready\n");
    const evil = { authorization: `Bearer ${TOKEN}`, origin: "http://evil.example" };
    expect((await fetch(`${vault.proxy}/api/status`, { headers: evil })).status).toBe(403);
  });

  it("metrics are in the format of Prometheus", async () => {
    const vault = await newVault("metrics");
    await ask(`${vault.a}/api/status`);
    const text = await (await ask(`${a?.address}/metrics`)).text();
    expect(text).toMatch(/^coffre_requests_total\{kind="api",status="200"\} \d+$/mu);
    expect(text).toMatch(/^coffre_request_seconds_bucket\{kind="api",le="\+Inf"\} \d+$/mu);
    expect(text).toMatch(/^coffre_open_vaults [1-9]\d*$/mu);
    for (const line of text.trimEnd().split("\n"))
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"]*",?)+\})? [\d.e+-]+)$/u,
      );
  });

  it.each([
    ["since 2026", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
    ["before, with a session", {}],
  ] as const)(
    "an MCP client of the protocol %s reads and edits, whichever replica answers",
    async (_, options) => {
      const vault = await newVault(`mcp-${"versionNegotiation" in options ? "new" : "old"}`);
      const client = new Client({ name: "mcp test", version: "1" }, options);
      onTestFinished(async () => client.close());
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${vault.proxy}/mcp/update`), {
          requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
        }),
      );
      const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
        JSON.stringify(await client.callTool({ name, arguments: args }));
      await call("write", { path: "vault/n.md", content: "value 0\n" });
      await call("read", { paths: ["vault/n.md"] });
      for (let at = 0; at < 10; at += 1) {
        const edited = await call("edit", {
          path: "vault/n.md",
          old_content: `value ${at}`,
          new_content: `value ${at + 1}`,
        });
        expect(edited).toContain("Edited");
      }
      expect(await call("read", { paths: ["vault/n.md"] })).toContain("value 10");
    },
  );

  it("ten MCP and ten HTTP clients append at once, and every line is there once", async () => {
    const vault = await newVault("many");
    const lines: string[] = [];
    const http = Array.from({ length: 10 }, async (_, client) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const content = `http-${client}-${turn}`;
        await callTool(
          vault.proxy,
          "append",
          { path: `vault/${turn % 2}.md`, content, position: "bottom" },
          `h${client}`,
        );
        lines.push(content);
      }
    });
    const mcp = Array.from({ length: 10 }, async (_, at) => {
      const client = new Client({ name: `m${at}`, version: "1" });
      const transport = new StreamableHTTPClientTransport(new URL(`${vault.proxy}/mcp/update`), {
        requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
      });
      await client.connect(transport);
      for (let turn = 0; turn < 5; turn += 1) {
        const content = `mcp-${at}-${turn}`;
        await client.callTool({
          name: "append",
          arguments: { path: `vault/${turn % 2}.md`, content, position: "bottom" },
        });
        lines.push(content);
      }
      await client.close();
    });
    await Promise.all([...http, ...mcp]);
    const texts = await Promise.all(
      [0, 1].map(async (note) => (await ask(`${vault.b}/api/raw?path=vault/${note}.md`)).text()),
    );
    const kept = texts
      .join("\n")
      .split("\n")
      .filter((line) => /^(?:http|mcp)-/u.test(line));
    expect(kept.toSorted()).toEqual(lines.toSorted());
    expect(kept).toHaveLength(100);
  });
});

describe("a replica that is told to stop", () => {
  it("says that it is not ready, finishes what it answers, and ends without an error", async () => {
    const port = await freePort();
    const replica = new Replica({ url, port, args: ["--drain", "1"] });
    onTestFinished(async () => void (await replica.end("SIGKILL")));
    await replica.started();
    await newVault("drained");
    const vault = `${replica.address}/v/drained`;
    await callTool(vault, "append", { path: "vault/a.md", content: "first", position: "bottom" });
    replica.process.kill("SIGTERM");
    await expect
      .poll(async () => (await fetch(`${replica.address}/readyz`)).status, { interval: 10 })
      .toBe(503);
    // It still answers those who come all the same.
    expect(
      (
        await callTool(vault, "append", {
          path: "vault/a.md",
          content: "second",
          position: "bottom",
        })
      ).isError,
    ).toBe(false);
    expect(await replica.ended()).toBe(0);
    expect(replica.log).not.toContain('"bug"');
    expect(await (await ask(`${a?.address}/v/drained/api/raw?path=vault/a.md`)).text()).toContain(
      "second",
    );
  });
});
