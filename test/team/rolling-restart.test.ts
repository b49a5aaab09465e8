import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { Proxy } from "./proxy.ts";
import { ask, callTool, freePort, post, Replica, TOKEN } from "./replica.ts";
import { emptyDatabase } from "./team-database.ts";

const CLIENTS = 8;
/** Lines of all clients between two restarts. */
const LINES = 80;

/** Two replicas behind a proxy, with a vault. */
async function twoBehindProxy(name: string) {
  const url = await emptyDatabase();
  const ports = [await freePort(), await freePort()] as const;
  const publicPort = await freePort();
  const publicUrl = `http://127.0.0.1:${publicPort}`;
  const replicas = ports.map((port) => new Replica({ url, port, publicUrl }));
  onTestFinished(async () => {
    for (const each of replicas) await each.end("SIGKILL");
  });
  for (const each of replicas) await each.started();
  const proxy = new Proxy(publicPort, ports);
  onTestFinished(async () => proxy.end());
  await proxy.started();
  expect((await post(`${proxy.address}/api/vaults`, { name })).status).toBe(201);
  const restart = async (at: 0 | 1): Promise<void> => {
    expect(await replicas[at]?.end("SIGTERM")).toBe(0);
    replicas[at] = new Replica({ url, port: ports[at], publicUrl });
    await replicas[at].started();
  };
  return { vault: `${proxy.address}/v/${name}`, restart };
}

it("replicas are restarted one after the other, and no client is refused anything", async () => {
  const { vault, restart } = await twoBehindProxy("rolling");
  const lines: string[] = [];
  const refused: string[] = [];
  const load = { isOver: false };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = 0; !load.isOver; turn += 1) {
      const content = `line-${client}-${turn}`;
      const args = { path: `vault/${client % 2}.md`, content, position: "bottom" };
      const answer = await post(`${vault}/api/tools/append`, args).catch(String);
      const body = typeof answer === "string" ? answer : await answer.text().catch(String);
      const status = typeof answer === "string" ? "no answer" : answer.status;
      if (status === 200 && body.includes('"isError":false')) lines.push(content);
      else refused.push(`${content}: ${status} ${body}`);
    }
  });
  const more = async (): Promise<void> => {
    const before = lines.length;
    await expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThan(before + LINES);
  };
  await more();
  for (const at of [0, 1, 0, 1] as const) {
    await restart(at);
    await more();
  }
  load.isOver = true;
  await Promise.all(clients);
  expect(refused).toEqual([]);
  const texts = await Promise.all(
    [0, 1].map(async (note) => (await ask(`${vault}/api/raw?path=vault/${note}.md`)).text()),
  );
  const kept = texts.join("\n").split("\n");
  expect(kept.filter((line) => line.startsWith("line-")).toSorted()).toEqual(lines.toSorted());
});

it("MCP clients of the protocol before 2026 are told of what they subscribed to, through the proxy", async () => {
  const { vault } = await twoBehindProxy("subscribed");
  await callTool(vault, "write", { path: "vault/roof.md", content: "red\n" });
  const told: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    const client = new Client({ name: `m${at}`, version: "1" });
    onTestFinished(async () => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${vault}/mcp/update`), {
        requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
      }),
    );
    // One request more puts what follows it on the other replica, where one gets every second.
    if (at % 2 === 1) await client.ping();
    const { resources } = await client.listResources();
    const uri = resources.find((each) => each.uri.includes("roof"))?.uri ?? "";
    client.setNotificationHandler("notifications/resources/updated", () => {
      told.push(`m${at}`);
    });
    await client.subscribeResource({ uri });
  }
  // The stream of a client may be opened a moment after it has connected.
  const toldAfterAnother = async (): Promise<string[]> => {
    const change = { path: "vault/roof.md", content: "blue", position: "bottom" };
    await callTool(vault, "append", change);
    return [...new Set(told)].toSorted();
  };
  await expect
    .poll(toldAfterAnother, { timeout: 20_000 })
    .toEqual(["m0", "m1", "m2", "m3", "m4", "m5"]);
});
