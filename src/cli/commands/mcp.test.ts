import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { findOwner } from "../../jobs/owner/owner-lock.ts";
import { connectOwner } from "../../server/client/socket-transport.ts";
import { VaultClient } from "../../server/client/vault-client.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { demoImage } from "../../testing/demo-image.ts";
import {
  mainFile,
  spawnCoffre,
  stampedPlace,
  temporaryPlace,
  type TemporaryPlace,
} from "../testing/cli.ts";
import { connectMcp, textOfResult, type McpClient } from "../testing/mcp-client.ts";

const FILES = { "a.md": "The pump in the cellar\n", "plan.png": demoImage() };

function ownerPid({ state }: TemporaryPlace): number | null {
  return findOwner(state)?.pid ?? null;
}

/** So many clients that have all called once: one of them is the owner, the others ask it. */
async function connectSeveral(
  place: TemporaryPlace,
  count: number,
): Promise<{ owner: McpClient; others: McpClient[]; all: McpClient[] }> {
  const all = await Promise.all(Array.from({ length: count }, async () => connectMcp(place)));
  await Promise.all(all.map(async (each) => each.text("tree")));
  const owner = all.find(({ pid }) => pid === ownerPid(place));
  if (owner === undefined) throw new Error("none of the clients has the owner");
  return { owner, others: all.filter((each) => each !== owner), all };
}

describe("coffre mcp", () => {
  it("gives the update profile eight tools, which all work", async () => {
    const { client, text } = await connectMcp(temporaryPlace(FILES));
    expect((await client.listTools()).tools).toHaveLength(8);
    expect(client.getServerVersion()).toMatchObject({ name: "coffre-update" });
    expect(await text("tree")).toContain("a.md");
    expect(await text("read", { paths: "vault/a.md" })).toContain("| The pump in the cellar");
    expect(await text("search", { queries: ["pump"] })).toContain("vault/a.md");
    expect(await text("write", { path: "vault/b.md", content: "A heron" })).toContain("vault/b.md");
    const edit = { path: "vault/a.md", old_content: "cellar", new_content: "attic" };
    expect(await text("edit", edit)).toContain("The pump in the attic");
    const append = { path: "vault/b.md", content: "on the roof", position: "bottom" };
    expect(await text("append", append)).toContain("vault/b.md");
    expect(await text("move", { from: "vault/b.md", to: "vault/c.md" })).toContain("vault/c.md");
    expect(await text("delete", { path: "vault/c.md" })).toContain("vault/c.md");
  });

  it("gives the search profile four tools, which all work, and nothing to write with", async () => {
    const { client, text, call } = await connectMcp(temporaryPlace(FILES), { profile: "search" });
    expect((await client.listTools()).tools).toHaveLength(4);
    expect(client.getServerVersion()).toMatchObject({ name: "coffre-search" });
    expect(await text("tree")).toContain("a.md");
    expect(await text("read", { paths: "vault/a.md" })).toContain("| The pump in the cellar");
    expect(await text("search", { queries: ["pump"] })).toContain("vault/a.md");
    expect(await text("concat", { files: [{ path: "vault/a.md" }] })).toContain("| The pump");
    await expect(call("write", { path: "vault/b.md", content: "x" })).rejects.toThrow(
      'There is no tool "write" here. There are: tree, read, search, concat.',
    );
  });

  it.each([
    ["2025-11-25", {}],
    ["2024-11-05", { supportedProtocolVersions: ["2024-11-05"] }],
    ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
    ["2026-07-28", { versionNegotiation: { mode: "auto" } }],
  ] as const)("speaks %s with a client of %j", async (version, options) => {
    const place = temporaryPlace(FILES);
    const negotiated =
      "supportedProtocolVersions" in options
        ? { supportedProtocolVersions: [...options.supportedProtocolVersions] }
        : options;
    const { client, text } = await connectMcp(place, { name: "Café", ...negotiated });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toHaveLength(8);
    await text("append", { path: "vault/b.md", content: "x", position: "top" });
    expect((await place.run(["log"])).stdout).toMatch(/ Café {2}append /u);
  });
});

describe("the owner and those who ask it answer the same", () => {
  it("resources and prompts, and tell of changes", async () => {
    const place = stampedPlace(FILES);
    const { owner, others } = await connectSeveral(place, 2);
    const [other = owner] = others;
    for (const { client } of [owner, other]) {
      // The background job writes tree.md when it has compared the vault, which goes on after the start.
      await vi.waitFor(async () =>
        expect((await client.listResources()).resources.map(({ name }) => name)).toEqual([
          "vault/a.md",
          "vault/plan.png",
          "vault/tree.md",
        ]),
      );
      const read = await client.readResource({ uri: "vault:///plan.png" });
      expect(read.contents).toMatchObject([
        { mimeType: "image/png", blob: Buffer.from(demoImage()).toString("base64") },
      ]);
      await expect(client.readResource({ uri: "vault:///none.md" })).rejects.toThrow("none.md");
      expect(JSON.stringify(await client.getPrompt({ name: "update" }))).toContain("plan.png");
    }
    const told = [owner, other].map(async ({ client }) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
        resolve(params.uri);
      });
      await client.subscribeResource({ uri: "vault:///a.md" });
      return { promise };
    });
    const waiting = await Promise.all(told);
    await owner.text("append", { path: "a.md", content: "It hums", position: "bottom" });
    expect(await Promise.all(waiting.map(async ({ promise }) => promise))).toEqual([
      "vault:///a.md",
      "vault:///a.md",
    ]);
  });

  it.each(["owner", "other"] as const)("mistakes, to a client of the %s", async (which) => {
    const { owner, others } = await connectSeveral(temporaryPlace(FILES), 2);
    const asking = which === "owner" ? owner : others[0];
    if (asking === undefined) throw new Error("there is one client only");
    await expect(asking.call("concat", { files: [] })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no tool "concat" here.'),
    });
    const unknown = await asking.call("read", { paths: "vault/a.md", nonsense: 1 });
    expect(unknown).toEqual({
      content: [
        {
          type: "text",
          text: 'Error (invalid_argument): read: unknown argument "nonsense". It takes: paths, head, tail, folded.',
        },
      ],
      isError: true,
    });
    const missing = await asking.call("read", { paths: "vault/none.md" });
    expect(missing.isError).toBe(true);
    expect(textOfResult(missing)).toContain("vault/none.md");
    expect(textOfResult(await asking.call("read"))).toContain("Error (invalid_argument): read: ");
  });

  it("an image as an image", async () => {
    const { all } = await connectSeveral(temporaryPlace(FILES), 2);
    for (const { call } of all) {
      const { content } = await call("read", { paths: "vault/plan.png" });
      const data = Buffer.from(demoImage()).toString("base64");
      expect(content).toEqual([
        { type: "text", text: expect.stringContaining("vault/plan.png (image/png, 640×400") },
        { type: "image", data, mimeType: "image/png" },
      ]);
    }
  });

  it("the largest image, with room for text", async () => {
    const image = Buffer.alloc(7_000_000);
    image.set(demoImage());
    const { all } = await connectSeveral(temporaryPlace({ "a.png": image }), 2);
    for (const { call } of all) {
      const { content } = await call("read", { paths: "vault/a.png" });
      expect(content[1]).toMatchObject({ type: "image", data: image.toString("base64") });
    }
  });

  it("every reading tool, byte for byte", async () => {
    const place = temporaryPlace(FILES);
    const all = await Promise.all([1, 2].map(async () => connectMcp(place, { profile: "search" })));
    const calls: [string, Record<string, unknown>][] = [
      ["tree", {}],
      ["read", { paths: ["vault/a.md", "vault/none.md", "vault/plan.png"] }],
      ["search", { queries: ["pump", "cellar"] }],
      ["concat", { files: [{ path: "vault/a.md", lines: "1-1" }] }],
    ];
    await Promise.all(all.map(async ({ text }) => text("tree")));
    // Until the job has processed the new files, answers differ with the moment.
    const owner = await connectOwner(place.state);
    onTestFinished(() => owner?.close());
    if (owner !== null) await new VaultClient(owner).settle();
    for (const [name, args] of calls) {
      const [one, other] = await Promise.all(all.map(async ({ call }) => call(name, args)));
      expect(one, name).toEqual(other);
    }
  });

  it("by what each connection itself has read, also among clients of one name", async () => {
    const { owner, others } = await connectSeveral(temporaryPlace(FILES), 3);
    const [reader, stranger] = others;
    await reader?.text("read", { paths: "vault/a.md" });
    const edit = { path: "vault/a.md", old_content: "cellar", new_content: "attic" };
    for (const each of [stranger, owner]) {
      expect((await each?.call("edit", edit))?.isError).toBe(true);
    }
    expect(await reader?.text("edit", edit)).toContain("attic");
  });
});

describe("several coffre mcp on one vault", () => {
  it("go on when the owner is killed", async () => {
    const place = temporaryPlace(FILES);
    const { owner, others } = await connectSeveral(place, 4);
    process.kill(owner.pid, "SIGKILL");
    const read = await Promise.all(
      others.map(async ({ text }) => text("read", { paths: "vault/a.md" })),
    );
    for (const text of read) expect(text).toContain("The pump");
    await owner.ended;
    expect(others.map(({ pid }) => pid)).toContain(ownerPid(place));
    const append = { path: "vault/b.md", content: "x", position: "bottom" };
    await Promise.all(others.map(async ({ text }) => text("append", append)));
    expect(readFileSync(path.join(place.root, "b.md"), "utf8").match(/^x$/gmu)).toHaveLength(3);
    expect(await others[0]?.text("search", { queries: ["pump"] })).toContain("vault/a.md");
  });

  it("lose no change that was confirmed when owners are killed one after the other", async () => {
    const place = temporaryPlace(FILES);
    const { all } = await connectSeveral(place, 4);
    const confirmed: string[] = [];
    const add = async ({ call }: McpClient, content: string): Promise<void> => {
      const args = { path: "vault/log.md", content, position: "bottom" };
      const result = await call("append", args).catch(() => null);
      if (result !== null && result.isError !== true) confirmed.push(content);
    };
    const alive = new Set(all);
    while (alive.size > 1) {
      const round = [...alive].flatMap((each, at) =>
        [1, 2, 3].map(async (n) => add(each, `line ${alive.size}.${at}.${n}.`)),
      );
      await round[0];
      const owner = [...alive].find(({ pid }) => pid === ownerPid(place));
      if (owner !== undefined) {
        process.kill(owner.pid, "SIGKILL");
        alive.delete(owner);
        await owner.ended;
      }
      await Promise.all(round);
      await Promise.all([...alive].map(async ({ text }) => text("tree")));
    }
    const text = readFileSync(path.join(place.root, "log.md"), "utf8");
    for (const line of confirmed) expect(text.split(line), line).toHaveLength(2);
    expect(confirmed.length).toBeGreaterThan(0);
  });

  it("have an owner again without being called, when it is killed or goes", async () => {
    const place = temporaryPlace(FILES);
    const { owner, others } = await connectSeveral(place, 3);
    process.kill(owner.pid, "SIGKILL");
    const second = await nextOwner(place, others);
    await second.client.close();
    const third = await nextOwner(
      place,
      others.filter((each) => each !== second),
    );
    expect(await third.text("search", { queries: ["pump"] })).toContain("vault/a.md");
  });

  it("ask coffre serve when it runs", async () => {
    const place = temporaryPlace(FILES);
    const serving = start(place, "serve", "--port", "0");
    await nextLine(serving);
    const { text } = await connectMcp(place);
    expect(await text("search", { queries: ["pump"] })).toContain("vault/a.md");
    expect(ownerPid(place)).toBe(serving.pid);
  });
});

async function nextOwner(place: TemporaryPlace, among: readonly McpClient[]): Promise<McpClient> {
  for (;;) {
    const found = among.find(({ pid }) => pid === ownerPid(place));
    if (found !== undefined) return found;
    await setTimeout(10);
  }
}

const GREETING = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "pipe", version: "1" },
  },
};
const CALL = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "read", arguments: { paths: "vault/a.md" } },
};

function start({ root, state }: TemporaryPlace, ...argv: string[]): ChildProcess {
  const words = [mainFile, ...argv, "--vault", root, "--state", state];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function nextLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("its output is not piped");
  const { value } = await createInterface(stdout)[Symbol.asyncIterator]().next();
  return String(value);
}

describe("coffre mcp ends", () => {
  it("with its input, when all that was asked is answered: exit 0, nothing of it is left", async () => {
    const { root, state } = temporaryPlace(FILES);
    const lines = [GREETING, CALL].map((message) => `${JSON.stringify(message)}\n`).join("");
    const ran = await spawnCoffre(["mcp", "--vault", root, "--state", state], lines);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const answers: unknown[] = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([{ id: 1 }, { id: 2, result: { content: [{ type: "text" }] } }]);
    expect(findOwner(state)).toBeNull();
    expect(existsSync(path.join(state, "owner.json"))).toBe(false);
    expect(existsSync(path.join(state, "run", "coffre.sock"))).toBe(false);
  });

  it("with its input, while another asks it: the other takes over", async () => {
    const place = temporaryPlace(FILES);
    const child = start(place, "mcp");
    child.stdin?.write(`${JSON.stringify(GREETING)}\n`);
    await nextLine(child);
    child.stdin?.write(`${JSON.stringify(CALL)}\n`);
    await nextLine(child);
    const other = await connectMcp(place);
    await other.text("tree");
    expect(ownerPid(place)).toBe(child.pid);
    child.stdin?.end();
    await once(child, "exit");
    expect(child.exitCode).toBe(0);
    expect(await nextOwner(place, [other])).toBe(other);
  });

  it("with its input, when nothing was asked", async () => {
    const { root, state } = temporaryPlace(FILES);
    const ran = await spawnCoffre(["mcp", "--vault", root, "--state", state]);
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "with %s, while its input is open: exit 0, nothing of it is left",
    async (signal) => {
      const place = temporaryPlace(FILES);
      const child = start(place, "mcp");
      child.stdin?.write(`${JSON.stringify(GREETING)}\n`);
      expect(JSON.parse(await nextLine(child))).toMatchObject({ id: 1 });
      child.stdin?.write(`${JSON.stringify(CALL)}\n`);
      expect(JSON.parse(await nextLine(child))).toMatchObject({ id: 2 });
      expect(ownerPid(place)).toBe(child.pid);
      child.kill(signal);
      await once(child, "exit");
      expect(child.exitCode).toBe(0);
      expect(existsSync(path.join(place.state, "owner.json"))).toBe(false);
    },
  );

  it("cleanly when its output is closed", async () => {
    const place = temporaryPlace(FILES);
    const child = start(place, "mcp");
    child.stdin?.write(`${JSON.stringify(GREETING)}\n`);
    await nextLine(child);
    child.stdout?.destroy();
    child.stdin?.write(`${JSON.stringify(CALL)}\n`);
    await once(child, "exit");
    expect(child.exitCode).toBe(0);
    expect(existsSync(path.join(place.state, "owner.json"))).toBe(false);
  });
});

describe("coffre mcp is refused", () => {
  it("where there is no vault, and makes none", async () => {
    const root = path.join(temporaryFolder(), "none");
    const ran = await spawnCoffre(["mcp", "--vault", root]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(`There is no vault in ${root}. Make one with: coffre init`);
    expect(existsSync(root)).toBe(false);
  });

  it("with a profile that does not exist", async () => {
    const { run } = temporaryPlace(FILES);
    const { code, stderr } = await run(["mcp", "--profile", "nonsense"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--profile takes update or search");
  });
});
