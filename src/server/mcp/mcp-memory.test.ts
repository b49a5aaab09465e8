import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";

import { createService, type Service } from "../../compose.ts";
import { home } from "../../testing/service-home.ts";
import { textOfResult } from "../../cli/testing/mcp-client.ts";
import { createMcpServer } from "./mcp-server.ts";
import { clientOfService } from "../testing/owner.ts";

const FILES = {
  "projects/boat/state.md": "# Boat\n\nThe pump in the bilge is broken.\n",
  "projects/boat/changelog.md": "# 2026-03-01\n\n## Launched\nWithout trouble.\n",
};

interface Connected {
  readonly client: Client;
  readonly service: Service;
  readonly text: (name: string, args?: Record<string, unknown>) => Promise<string>;
}

async function connect(): Promise<Connected> {
  const onBug = (error: unknown): void => {
    throw error;
  };
  const { root, state } = home(FILES);
  const service = await createService({ root, state, memory: { model: null, onBug } });
  onTestFinished(async () => service.close());
  await service.settled();
  if (service.memory === null) throw new Error("there is no memory");
  const { memory } = service;
  const vault = clientOfService({ service, memory, now: () => new Date(), onBug });
  const server = createMcpServer({
    profile: "memory",
    version: "1.2.3",
    vault,
    now: () => new Date(),
    onBug,
    tells: "nothing",
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client({ name: "Café", version: "1" });
  await client.connect(other);
  onTestFinished(async () => client.close());
  return {
    client,
    service,
    text: async (name, args = {}) => textOfResult(await client.callTool({ name, arguments: args })),
  };
}

it("has its tools, and instructions that clients do not cut", async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "remember",
    "recall",
    "inbox",
    "file",
    "undo",
    "verify",
  ]);
  for (const { annotations, inputSchema } of tools) {
    expect(Object.keys(annotations ?? {})).toHaveLength(4);
    expect(inputSchema).toMatchObject({ type: "object" });
  }
  // Clients call what only reads without asking; the inbox files what a person answers.
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  expect(reading.map(({ name }) => name)).toEqual(["recall", "verify"]);
  const repeatable = tools.filter(({ annotations }) => annotations?.idempotentHint === true);
  expect(repeatable).toEqual(reading);
  expect(client.getInstructions()?.length).toBeLessThan(2000);
});

it("takes a note in, asks about it, and files it where the answer says", async () => {
  const { text, service } = await connect();
  const told = await text("remember", { content: "The pump on the boat has come: 240 €" });
  const ref = /inbox_ref (\S+)/u.exec(told)?.[1] ?? "";
  expect(ref).toMatch(/^\d{4}-\d\d-\d\d-/u);
  expect(await text("inbox")).toContain(`- ${ref}: `);
  expect(await text("inbox", { ref })).toContain("boat");
  expect(await text("remember", { content: "boat", inbox_ref: ref })).toContain(
    "Only the person answers an inbox item.",
  );
  const filed = await text("remember", {
    content: "boat",
    inbox_ref: ref,
    said_by_person: true,
    wait: true,
  });
  expect(filed).toContain("vault/projects/boat/");
  expect(await text("inbox")).toBe("Nothing waits.");
  expect((await service.vault.log({ path: null, limit: 1 }))[0]?.batch).not.toBeNull();
});

it("answers a question with the sources, numbered by their lines", async () => {
  const { text } = await connect();
  const answer = await text("recall", { question: "what is broken on the boat?" });
  expect(answer).toContain("\n---\n");
  expect(answer).toMatch(/^\d+ +\| The pump in the bilge is broken\.$/mu);
});

it("says what became of the sources of an answer", async () => {
  const { text, service } = await connect();
  const answer = await text("recall", { question: "what is broken on the boat?" });
  const states = async (): Promise<string> => text("verify", { answer });
  expect(await states()).toMatch(/^\[1\] vault\/projects\/boat\/\S+: same(?:\n|$)/u);
  const [, path = "", line = ""] = /^\[1\] (vault\/\S+):(\d+)-/mu.exec(answer) ?? [];
  const author = { actor: "test", call: "test", batch: null };
  await service.vault.change(author, async ({ writer, readWhole }) => {
    const seen = await readWhole(path.slice("vault/".length));
    const bytes = Buffer.from(seen.text.replace("is broken", "was repaired"));
    await writer.update(seen, bytes);
  });
  expect(await states()).toContain(`[1] ${path}:${line}-`);
  expect(await states()).toContain(": changed");
});

it.each([
  ["recall", {}, "Error (invalid_argument): recall:"],
  ["recall", { question: "x", more: 1 }, "It takes: question."],
  ["remember", { content: "" }, "Error (invalid_argument): remember:"],
  ["verify", { answer: "x" }, "Error (invalid_argument): There is no source in it"],
  ["inbox", { ref: "none" }, "Error (not_found): There is no inbox item"],
])("refuses %s %j", async (name, args, why) => {
  const { client } = await connect();
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  expect(textOfResult(result)).toContain(why);
});

it("has no tool for files", async () => {
  const { client } = await connect();
  await expect(client.callTool({ name: "read", arguments: { paths: "a.md" } })).rejects.toThrow(
    'There is no tool "read" here. There are: remember, recall, inbox, file, undo, verify.',
  );
});
