import { existsSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { once } from "node:events";

import { describe, expect, it, onTestFinished } from "vitest";

import { startChild } from "../../testing/processes/child.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { createVault } from "../../vault/vault.ts";
import { connectOwner, type SocketTransport } from "../client/socket-transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { startOwner } from "../testing/owner.ts";

const SERVE_SIMPLY = new URL("../../testing/processes/serve-simply.ts", import.meta.url);
const FILES = { "a.md": "The pump in the cellar\n" };

async function clientOf(state: string): Promise<VaultClient> {
  return new VaultClient(await ownerOf(state));
}

async function ownerOf(state: string): Promise<SocketTransport> {
  const transport = await connectOwner(state);
  if (transport === null) throw new Error("there is no owner");
  onTestFinished(() => transport.close());
  return transport;
}

describe("the local server", () => {
  it("listens on a socket that only this user can use", async () => {
    const vault = temporaryVault();
    const { server } = await startOwner(vault);
    const stat = statSync(server.endpoint);
    expect(stat.isSocket()).toBe(true);
    expect(stat.mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(server.endpoint)).mode & 0o777).toBe(0o700);
  });

  it("works where the state folder's path is too long for a socket", async () => {
    const short = temporaryVault(FILES);
    const state = path.join(path.dirname(short.root), "long".repeat(30));
    const vault = createVault({ root: short.root, state });
    onTestFinished(() => vault.close());
    const { server } = await startOwner(vault);
    const client = await clientOf(state);
    expect((await client.status()).vault).toBe(vault.root);
    await server.close();
    expect(existsSync(server.endpoint)).toBe(false);
  });

  it("takes the place of a killed owner, whose socket is left over", async () => {
    const vault = temporaryVault(FILES);
    const child = startChild(SERVE_SIMPLY, [vault.root, vault.state]);
    onTestFinished(async () => child.kill());
    await child.printed("serving");
    expect((await ownerOf(vault.state)).owner.pid).toBe(child.process.pid);
    await child.kill();
    expect(await connectOwner(vault.state)).toBeNull();
    const { server } = await startOwner(vault);
    const client = await clientOf(vault.state);
    expect((await ownerOf(vault.state)).owner).toMatchObject({
      pid: process.pid,
      endpoint: server.endpoint,
    });
    expect((await client.rescan()).changed).toBe(1);
  });

  it("answers a body that is too large before it was sent, and takes the next call", async () => {
    const vault = temporaryVault(FILES);
    const { server, bugs } = await startOwner(vault);
    const client = await clientOf(vault.state);
    const content = "x".repeat(9 * 1024 * 1024);
    const refusal = await refusalOf(async () =>
      client.callTool({
        name: "write",
        args: { path: "n.md", content },
        profile: "update",
        client: "t",
      }),
    );
    expect(refusal?.code).toBe("too_large");
    expect(
      (await client.callTool({ name: "tree", args: {}, profile: "update", client: "t" })).isError,
    ).toBe(false);
    expect(bugs).toEqual([]);
    await server.close();
  });

  it("does not take a client that hangs up in the middle for a bug of its own", async () => {
    const vault = temporaryVault(FILES);
    const { server, bugs } = await startOwner(vault);
    const socket = connect(server.endpoint);
    socket.write("POST /api/tools/tree HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
    await once(socket, "connect");
    socket.destroy();
    expect((await ownerOf(vault.state)).owner.version).toBe("1.2.3");
    await server.close();
    expect(bugs).toEqual([]);
  });
});

describe("closing", () => {
  it("lets calls under way finish, takes no others, and leaves no socket", async () => {
    const vault = temporaryVault(FILES);
    const { service, server } = await startOwner(vault);
    const client = await clientOf(vault.state);
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    service.onSearch = async () => {
      begun.resolve();
      await mayGoOn.promise;
    };
    const searching = client.callTool({
      name: "search",
      args: { queries: ["pump"] },
      profile: "search",
      client: "t",
    });
    await begun.promise;
    let isClosed = false;
    const closing = server.close().then(() => (isClosed = true));
    expect(await connectOwner(vault.state)).toBeNull();
    expect(isClosed).toBe(false);
    mayGoOn.resolve();
    expect(await searching).toMatchObject({ structured: [{ path: "vault/a.md" }] });
    await closing;
    expect(existsSync(server.endpoint)).toBe(false);
    await server.close();
  });

  it("does not wait for connections on which nothing, or half a request, is said", async () => {
    const vault = temporaryVault(FILES);
    const { server } = await startOwner(vault);
    const client = await clientOf(vault.state);
    await client.status();
    const silent = connect(server.endpoint);
    await once(silent, "connect");
    const half = connect(server.endpoint);
    half.write("GET /api/sta");
    await once(half, "connect");
    await client.status();
    const gone = Promise.all([silent, half].map(async (socket) => once(socket, "close")));
    for (const socket of [silent, half]) socket.resume().on("error", () => {});
    await server.close();
    expect(await gone).toHaveLength(2);
  });

  it("ends the connection of a call that was under way, though its client would keep it", async () => {
    const vault = temporaryVault(FILES);
    const { service, server } = await startOwner(vault);
    const begun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    service.onSettle = async () => {
      begun.resolve();
      await mayGoOn.promise;
    };
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const call = { socketPath: server.endpoint, agent, method: "POST", path: "/api/settle" };
    const asking = request(call);
    asking.end();
    await begun.promise;
    const closing = server.close();
    mayGoOn.resolve();
    const [response] = await once(asking, "response");
    expect(response.statusCode).toBe(204);
    response.resume();
    await closing;
  });
});
