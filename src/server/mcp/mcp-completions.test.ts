import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";

import { createService } from "../../compose.ts";
import { home } from "../../testing/service-home.ts";
import { clientOfService } from "../testing/owner.ts";
import { createMcpServer, type McpProfile } from "./mcp-server.ts";

const FILES = {
  "overview.md": "# Overview\n",
  "projects/boat/state.md": "The pump\n",
  "projects/Bakery/state.md": "The oven\n",
  "projects/rowing-boat/state.md": "The oars\n",
  "inbox/2026-03-01-pump/review.md": "# Review: Pump\n\n## Question\n\nWhich boat?\n",
  "inbox/2026-03-02-oven/review.md": "# Review: Oven\n\n## Question\n\nWhich bakery?\n",
};

async function connect(profile: McpProfile = "update"): Promise<Client> {
  const onBug = (error: unknown): void => {
    throw error;
  };
  const service = await createService({ ...home(FILES), memory: { model: null, onBug } });
  onTestFinished(async () => service.close());
  const { memory } = service;
  if (memory === null) throw new Error("there is no memory");
  const now = (): Date => new Date();
  const vault = clientOfService({ service, memory, now, onBug });
  const server = createMcpServer({ profile, version: "1", vault, now, onBug, tells: "nothing" });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client({ name: "tester", version: "1" });
  await client.connect(other);
  onTestFinished(async () => client.close());
  return client;
}

const path = (value: string) =>
  ({
    ref: { type: "ref/resource", uri: "vault:///{+path}" },
    argument: { name: "path", value },
  }) as const;

const prompt = (name: string, argument: string, value: string) =>
  ({ ref: { type: "ref/prompt", name }, argument: { name: argument, value } }) as const;

describe("completion", () => {
  it.each([
    ["", ["inbox/", "projects/", "overview.md"]],
    ["vault/over", ["overview.md"]],
    ["projects/b", ["projects/Bakery/", "projects/boat/", "projects/rowing-boat/"]],
    ["projects/boat/", ["projects/boat/state.md"]],
    ["projects/none/x", []],
    ["../x", []],
  ])("goes on from the path %j", async (typed, values) => {
    const { completion } = await (await connect()).complete(path(typed));
    expect(completion.values.filter((value) => value !== "tree.md")).toEqual(values);
  });

  it.each([
    ["update", "update", "inbox_ref"],
    ["memory", "inbox", "ref"],
  ] as const)("knows what waits, for the prompt of %s", async (profile, name, argument) => {
    const client = await connect(profile);
    const { completion } = await client.complete(prompt(name, argument, "PUMP"));
    expect(completion.values).toEqual(["2026-03-01-pump"]);
  });

  it("has nothing to say of a free text, and refuses what does not exist", async () => {
    const client = await connect("search");
    const { completion } = await client.complete(prompt("search", "question", "wh"));
    expect(completion.values).toEqual([]);
    for (const wrong of [prompt("search", "nothing", ""), prompt("none", "ref", "")]) {
      await expect(client.complete(wrong)).rejects.toMatchObject({ code: -32_602 });
    }
  });
});

describe("the prompt of the memory", () => {
  it("has every question, or the one that is named", async () => {
    const client = await connect("memory");
    const shown = async (args: Record<string, string>): Promise<string> =>
      JSON.stringify(await client.getPrompt({ name: "inbox", arguments: args }));
    expect(await shown({})).toMatch(/2026-03-01-pump.*Which boat\?.*2026-03-02-oven/u);
    expect(await shown({ ref: "2026-03-02-oven" })).not.toContain("Which boat?");
    const missing = client.getPrompt({ name: "inbox", arguments: { ref: "none" } });
    await expect(missing).rejects.toMatchObject({ code: -32_602 });
  });
});

it("calls the URI of something else what it is: not a resource here", async () => {
  const client = await connect();
  for (const asked of [
    client.subscribeResource({ uri: "file:///etc/passwd" }),
    client.unsubscribeResource({ uri: "https://example.org/a" }),
    client.readResource({ uri: "file:///etc/passwd" }),
  ]) {
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expect.any(Number) });
    expect([-32_602, -32_002]).toContain(Object(error).code);
  }
  await expect(client.subscribeResource({ uri: "vault:///../x.md" })).rejects.toMatchObject({
    code: -32_602,
  });
});
