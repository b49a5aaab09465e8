import { mkdirSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import path from "node:path";
import { once } from "node:events";

import { describe, expect, it, onTestFinished } from "vitest";

import { acquireOwnership } from "../../jobs/owner/owner-lock.ts";
import { startChild } from "../../testing/processes/child.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import { temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import { connectOwner } from "./socket-transport.ts";
import { OwnerGoneError } from "./transport.ts";
import { VaultClient } from "./vault-client.ts";
import { publishOwner, startOwner, startStrangeOwner } from "../testing/owner.ts";

const SERVE_SIMPLY = new URL("../../testing/processes/serve-simply.ts", import.meta.url);

async function clientOf(state: string): Promise<VaultClient> {
  const transport = await connectOwner(state);
  if (transport === null) throw new Error("there is no owner");
  onTestFinished(() => transport.close());
  return new VaultClient(transport);
}

/** A state folder whose owner says that it is to be reached there. */
function ownedState(endpoint: string): string {
  const state = temporaryFolder();
  publishOwner(state, endpoint);
  return state;
}

async function strangeClient(answer: RequestListener): Promise<VaultClient> {
  const state = temporaryFolder();
  await startStrangeOwner(state, answer);
  return clientOf(state);
}

describe("the owner, from another process", () => {
  it("says how it is", async () => {
    const vault = temporaryVault({ "a.md": "x\n" });
    await startOwner(vault);
    const client = await clientOf(vault.state);
    const transport = await connectOwner(vault.state);
    onTestFinished(() => transport?.close());
    expect(transport?.owner).toMatchObject({ pid: process.pid, version: "1.2.3" });
    expect(await client.rescan()).toEqual({ changed: 1, gone: 0 });
    expect(await client.status()).toMatchObject({
      version: "1.2.3",
      vault: vault.root,
      index: { files: 1 },
      watcher: { alive: true, folders: 7, lastEvent: "2026-11-16T08:30:00" },
    });
  });

  it("calls tools for clients by their names, whatever letters these have", async () => {
    const vault = temporaryVault({ "a.md": "x\n" });
    await startOwner(vault);
    const client = await clientOf(vault.state);
    await client.callTool({
      name: "read",
      args: { paths: "a.md" },
      profile: "update",
      client: "Zoé ☕ 100%",
    });
    const args = { path: "a.md", content: "Voilà ☕" };
    expect(
      await client.callTool({ name: "write", args, profile: "update", client: "Max" }),
    ).toMatchObject({
      isError: true,
      structured: { error: { code: "conflict" } },
    });
    expect(
      await client.callTool({ name: "write", args, profile: "update", client: "Zoé ☕ 100%" }),
    ).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("Replaced vault/a.md") }],
      structured: { path: "vault/a.md" },
      isError: false,
    });
    expect(await vault.log({ path: "a.md", limit: 1 })).toMatchObject([{ actor: "Zoé ☕ 100%" }]);
    expect((await vault.openText("a.md")).range(1, 1).lines).toEqual(["Voilà ☕"]);
  });

  it("answers many calls at once", async () => {
    const vault = temporaryVault({ "a.md": "x\n" });
    await startOwner(vault);
    const client = await clientOf(vault.state);
    const calls = Array.from({ length: 50 }, async (_, line) =>
      client.callTool({
        name: "append",
        args: { path: "a.md", content: `line ${line}`, position: "bottom" },
        profile: "update",
        client: "t",
      }),
    );
    const results = await Promise.all(calls);
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    expect(await vault.log({ path: "a.md", limit: 100 })).toHaveLength(50);
  });

  it("throws what the owner refuses as it refuses it", async () => {
    const vault = temporaryVault();
    await startOwner(vault);
    const client = await clientOf(vault.state);
    const refusal = await refusalOf(async () =>
      client.callTool({ name: "../x y", args: {}, profile: "search", client: "t" }),
    );
    expect(refusal?.code).toBe("unknown_tool");
    expect(refusal?.message).toBe(
      'There is no tool "../x y" here. There are: tree, read, search, concat.',
    );
  });

  it("is waited for until index and frontmatter have followed a change", async () => {
    const vault = temporaryVault();
    const { service } = await startOwner(vault);
    const mayGoOn = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    service.onSettle = async () => {
      begun.resolve();
      await mayGoOn.promise;
    };
    let isDone = false;
    const settling = (await clientOf(vault.state)).settle().then(() => (isDone = true));
    await begun.promise;
    expect((await (await clientOf(vault.state)).status()).version).toBe("1.2.3");
    expect(isDone).toBe(false);
    mayGoOn.resolve();
    expect(await settling).toBe(true);
  });
});

describe("there is no owner to talk to", () => {
  it("where none was", async () => {
    expect(await connectOwner(path.join(temporaryFolder(), "state"))).toBeNull();
  });

  it("when it let go, or says nothing of where it is yet", async () => {
    const vault = temporaryVault();
    const { ownership } = await startOwner(vault);
    ownership.release();
    expect(await connectOwner(vault.state)).toBeNull();
    const starting = temporaryFolder();
    const held = acquireOwnership(starting);
    onTestFinished(() => held?.release());
    expect(await connectOwner(starting)).toBeNull();
  });

  it("when nothing listens there", async () => {
    const folder = temporaryFolder();
    expect(await connectOwner(ownedState(path.join(folder, "gone")))).toBeNull();
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    expect(await connectOwner(ownedState(file))).toBeNull();
    const place = path.join(folder, "folder");
    mkdirSync(place);
    expect(await connectOwner(ownedState(place))).toBeNull();
  });

  it("when it takes the call and never answers", async () => {
    const endpoint = path.join(temporaryFolder(), "s");
    const server = createServer((socket) => socket.on("error", () => {}).resume());
    server.listen(endpoint);
    onTestFinished(() => void server.close());
    await once(server, "listening");
    expect(await connectOwner(ownedState(endpoint), { timeout: 20 })).toBeNull();
  });
});

describe("an owner that is not as it should be", () => {
  it("is gone when it is killed before it answers", async () => {
    const vault = temporaryVault();
    const child = startChild(SERVE_SIMPLY, [vault.root, vault.state]);
    onTestFinished(async () => child.kill());
    await child.printed("serving");
    const client = await clientOf(vault.state);
    await child.kill();
    const refusal = await refusalOf(async () => client.rescan());
    expect(refusal).toBeInstanceOf(OwnerGoneError);
    expect(refusal?.message).toContain(`pid ${child.process.pid}`);
  });

  it("is gone when it hangs up in the middle of its answer", async () => {
    const client = await strangeClient((_, response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write('{"changed"', () => response.destroy());
    });
    await expect(client.rescan()).rejects.toBeInstanceOf(OwnerGoneError);
    await expect(client.rescan()).rejects.toMatchObject({ wasAsked: true });
  });

  it("was not asked when it was gone before", async () => {
    const vault = temporaryVault();
    const child = startChild(SERVE_SIMPLY, [vault.root, vault.state]);
    onTestFinished(async () => child.kill());
    await child.printed("serving");
    const client = await clientOf(vault.state);
    await child.kill();
    // The first call may find the connection of the killed owner; the second has to make one.
    await refusalOf(async () => client.rescan());
    await expect(client.rescan()).rejects.toMatchObject({ wasAsked: false });
  });

  it.each(["", "{}", '{"changed": "many", "gone": 0}', "<html>"])(
    "is asked to be restarted when it answers %j",
    async (text) => {
      const client = await strangeClient((_, response) => void response.writeHead(200).end(text));
      const refusal = await refusalOf(async () => client.rescan());
      expect(refusal?.code).toBe("unavailable");
      expect(refusal?.message).toContain("version 9.9.9");
      expect(refusal?.message).toContain("restart it");
    },
  );

  it("may refuse with a code that is not known here", async () => {
    const problem = JSON.stringify({ code: "new_trouble", detail: "There is new trouble." });
    const client = await strangeClient((_, response) => void response.writeHead(400).end(problem));
    const refusal = await refusalOf(async () => client.rescan());
    expect(refusal).toMatchObject({ code: "unavailable", message: "There is new trouble." });
  });

  it("says so when it has an internal error", async () => {
    const vault = temporaryVault();
    const child = startChild(SERVE_SIMPLY, [vault.root, vault.state]);
    onTestFinished(async () => child.kill());
    await child.printed("serving");
    const client = await clientOf(vault.state);
    const refusal = await refusalOf(async () => client.status());
    expect(refusal).not.toBeInstanceOf(OwnerGoneError);
    expect(refusal?.message).toContain("Internal error; see the log");
  });
});
