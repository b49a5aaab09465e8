import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";

import type { Profile } from "../../tools/define.ts";
import { allTools, inputSchema, toolsOf } from "../../tools/registry.ts";
import { ExpectedError } from "../../errors.ts";
import { countTokens } from "../../text/tokens.ts";
import { INSTRUCTIONS } from "./mcp-instructions.ts";
import { createMcpServer } from "./mcp-server.ts";
import type { CallResult } from "../../tools/call-result.ts";
import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";

const PROFILES: readonly Profile[] = ["update", "search"];

/** A call of a tool, as it arrives at the service. */
interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly profile: string | null;
  readonly client: string;
  readonly maxTokens: string | null;
}

type AnswerTo = (call: ToolCall) => Promise<CallResult>;

async function callOf(request: Request): Promise<ToolCall> {
  const { pathname, searchParams } = new URL(request.url);
  return {
    name: decodeURIComponent(pathname.replace("/api/tools/", "")),
    args: await request.json(),
    profile: searchParams.get("profile"),
    client: decodeURIComponent(request.headers.get("coffre-client") ?? ""),
    maxTokens: searchParams.get("max_tokens"),
  };
}

interface Connected {
  readonly client: Client;
  readonly calls: ToolCall[];
  readonly bugs: unknown[];
}

interface ConnectOptions {
  readonly profile?: Profile;
  readonly name?: string;
  readonly prepare?: () => void;
}

/** A client of a server whose calls are answered with `answer`. */
async function connect(
  answer: AnswerTo,
  { profile = "update", name = "tester", prepare = () => {} }: ConnectOptions = {},
): Promise<Connected> {
  const calls: ToolCall[] = [];
  const bugs: unknown[] = [];
  const app = {
    fetch: async (request: Request): Promise<Response> => {
      if (request.method === "GET") return new Response(null, { status: 404 });
      const call = await callOf(request);
      calls.push(call);
      const result = await answer(call);
      return Response.json({ ...result, structured: result.structured ?? null });
    },
  };
  const vault = new VaultClient(appTransport(app));
  const onBug = (error: unknown): void => void bugs.push(error);
  const server = createMcpServer({
    profile,
    version: "1.2.3",
    vault,
    prepare,
    now: () => new Date(),
    onBug,
    tells: "subscribed",
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client({ name, version: "1" });
  await client.connect(other);
  onTestFinished(async () => client.close());
  return { client, calls, bugs };
}

const done: AnswerTo = async () => ({ content: [], structured: {}, isError: false });

it.each(PROFILES)("lists the tools of %s, with their schemas", async (profile) => {
  const { client } = await connect(done, { profile });
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(toolsOf(profile).map((tool) => tool.name));
  for (const { name, title, description, icons, inputSchema: schema, ...rest } of tools) {
    const tool = allTools.find((each) => each.name === name);
    expect({ title, description }).toEqual({ title: tool?.title, description: tool?.description });
    expect(icons?.[0]?.src).toMatch(/^data:image\/svg\+xml,%3Csvg.*%3C\/svg%3E$/u);
    expect(schema).toEqual(tool === undefined ? null : inputSchema(tool));
    expect(Object.keys(rest)).toEqual(["annotations"]);
  }
});

it("says of every tool what it may do", async () => {
  const hints = async (profile: Profile): Promise<[string, string][]> => {
    const { tools } = await (await connect(done, { profile })).client.listTools();
    return tools.map(({ name, annotations }) => [name, Object.values(annotations ?? {}).join(" ")]);
  };
  const table = Object.fromEntries([...(await hints("update")), ...(await hints("search"))]);
  const [looks, adds, takesAway] = [
    "true false true false",
    "false false false false",
    "false true false false",
  ];
  // readOnly, destructive, idempotent, openWorld
  expect(table).toEqual({
    tree: looks,
    read: looks,
    search: looks,
    concat: looks,
    append: adds,
    write: takesAway,
    edit: takesAway,
    move: takesAway,
    delete: takesAway,
  });
});

it.each(PROFILES)("instructs clients of %s briefly, on each of its tools", async (profile) => {
  const { client } = await connect(done, { profile });
  expect(client.getInstructions()).toBe(INSTRUCTIONS[profile]);
  expect(INSTRUCTIONS[profile].length).toBeLessThan(2000);
  for (const { name } of toolsOf(profile)) expect(INSTRUCTIONS[profile]).toContain(`- ${name} `);
});

it("costs a model less than 1,600 tokens to list", async () => {
  const { client } = await connect(done);
  const { tools } = await client.listTools();
  // Titles and icons are for people: no client sends them to its model.
  const told = tools.map(({ title: _title, icons: _icons, ...each }) => each);
  expect(countTokens(JSON.stringify(told))).toBeLessThan(1600);
});

it("gets ready when the tools are listed, not before", async () => {
  let prepared = 0;
  const { client } = await connect(done, { prepare: () => void (prepared += 1) });
  expect(prepared).toBe(0);
  await client.listTools();
  expect(prepared).toBe(1);
});

it("passes on what is called, unchecked, with who calls", async () => {
  const { client, calls } = await connect(done, { name: "Café  client\n" });
  await client.callTool({ name: "read", arguments: { nonsense: 1 } });
  await client.callTool({ name: "tree" });
  const common = { profile: "update", client: "Café client", maxTokens: "8000" };
  expect(calls).toEqual([
    { name: "read", args: { nonsense: 1 }, ...common },
    { name: "tree", args: {}, ...common },
  ]);
});

it.each([
  ["", "mcp"],
  [" \n", "mcp"],
  ["x".repeat(101), "x".repeat(100)],
  [`${"x".repeat(99)}🦉`, `${"x".repeat(99)}\uFFFD`],
])("calls a client that says it is %j %j", async (name, shown) => {
  const { client, calls } = await connect(done, { name });
  await client.callTool({ name: "tree" });
  expect(calls[0]?.client).toBe(shown);
});

it("answers with the content alone: text, images, and whether it was refused", async () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const { client } = await connect(async ({ name }) => ({
    content: [
      { type: "text", text: "a" },
      { ...image, path: "vault/a.png" },
    ],
    structured: { files: [] },
    isError: name === "edit",
  }));
  const content = [{ type: "text", text: "a" }, image];
  expect(await client.callTool({ name: "read" })).toEqual({ content });
  expect(await client.callTool({ name: "edit" })).toEqual({ content, isError: true });
});

it("answers a refusal of whoever executes as a refusal of the tool", async () => {
  const { client, bugs } = await connect(async () => {
    throw new ExpectedError("busy", "Try again.");
  });
  expect(await client.callTool({ name: "read" })).toEqual({
    content: [{ type: "text", text: "Error (busy): Try again." }],
    isError: true,
  });
  expect(bugs).toEqual([]);
});

it("tells the log of what nobody expected, and the client that it failed", async () => {
  const { client, bugs } = await connect(async () => {
    throw new TypeError("a secret path");
  });
  await expect(client.callTool({ name: "read" })).rejects.toThrow("read failed; see the log.");
  expect(bugs).toHaveLength(1);
});
