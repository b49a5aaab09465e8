import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";

import { textOfResult } from "../../cli/testing/mcp-client.ts";
import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call, UNSURE } from "../../testing/models/house-script.ts";
import type { Script } from "../../testing/models/scripted-model.ts";
import type { Files } from "../../testing/temporary-vault.ts";
import { clientOfService } from "../testing/owner.ts";
import { questionSeal } from "./elicitation.ts";
import { createMcpHttp } from "./mcp-http.ts";
import { createMcpServer } from "./mcp-server.ts";

const NOTE = "Two tins of varnish came.";
const now = (): Date => new Date("2026-11-16T10:00:00");
const ANSWERED = {
  calls: [
    call("append", {
      path: "vault/projects/boat/changelog.md",
      content: "# 2026-11-16\n\n## Varnish came\nTwo tins.",
      position: "top",
    }),
    call("delete", { path: "vault/inbox/2026-11-16-varnish/" }),
  ],
};

const UNSURE_THEN_FILED = [UNSURE, { text: "Asked." }, ANSWERED, { text: "Filed with the boat." }];

const DONE = { text: "Done as they said." };

/** A client of the memory whose person answers "the boat". */
async function askedClient(
  script: Script,
  asked: string[],
  isPreview = false,
  files: Files = houseFiles,
): Promise<{ readonly home: AgentHome; readonly client: Client }> {
  const home = await agentHome(files, script, { now });
  const { service, memory, bugs } = home;
  const onBug = (error: unknown): void => void bugs.push(error);
  const vault = clientOfService({ service, memory, now, onBug });
  const said = { profile: "memory", version: "1", tells: "nothing" } as const;
  const server = createMcpServer({ ...said, vault, now, onBug, isPreview });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client(
    { name: "tester", version: "1" },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { answer: "the boat" } };
  });
  await client.connect(other);
  onTestFinished(async () => client.close());
  return { home, client };
}

it("puts the question of coffre's own agent to the person, and files by the answer", async () => {
  const asked: string[] = [];
  const { home, client } = await askedClient(UNSURE_THEN_FILED, asked);
  const result = await client.callTool({
    name: "remember",
    arguments: { content: NOTE, said_by_person: true, wait: true },
  });
  expect(asked).toEqual([
    "two tins of varnish\n\n## What I propose\n\nA line in the state of boat.\n\n## Question\n\nIs it for the boat or for the floor of the house?",
  ]);
  expect(textOfResult(result)).toContain("The person answered: the boat\n\nFiled with the boat.");
  expect(home.read("projects/boat/changelog.md")).toContain("Varnish came");
  expect(await home.memory.inbox.count()).toBe(0);
  expect(home.bugs).toEqual([]);
});

const REVIEW = (proposal: string): string =>
  `# Review: the boat is sold\n\n## What I looked for\n\nboat\n\n## What I found\n\nvault/projects/house/state.md\n\n## What I propose\n\n${proposal}\n\n## Question\n\nMay I?\n`;

it.each([
  ["deletes what its question named", "Delete vault/projects/boat/.", true],
  ["deletes nothing that its question did not name", "Delete the boat.", false],
])("after the person's yes, a client's word %s", async (_, proposal, isGone) => {
  const ask = call("write", {
    path: "vault/inbox/2026-11-16-boat/review.md",
    content: REVIEW(proposal),
  });
  const remove = call("delete", { path: "vault/projects/boat/" });
  const note = call("append", {
    path: "vault/profile.md",
    content: "Has no boat.",
    position: "bottom",
  });
  const asked: string[] = [];
  const { home, client } = await askedClient(
    [{ calls: [remove] }, { calls: [ask] }, { text: "Asked." }, { calls: [remove, note] }, DONE],
    asked,
  );
  await client.callTool({
    name: "remember",
    arguments: { content: "The boat is sold, drop it.", said_by_person: true, wait: true },
  });
  expect(asked.join("\n")).toContain(proposal);
  expect(home.model.requests[1]?.body).toContain("on the word of a client");
  expect((await home.service.vault.find("projects/boat")).kind === "missing").toBe(isGone);
  expect(home.read("profile.md")).toContain("Has no boat.");
  expect(home.read("projects/house/state.md")).toContain("Deposit");
});

it("an answer through a client that only proposes waits for the yes as a preview", async () => {
  const review = { "inbox/2026-11-16-varnish/review.md": REVIEW("A line for the boat.") };
  const script = [ANSWERED, { text: "Filed with the boat." }];
  const { home, client } = await askedClient(script, [], true, { ...houseFiles, ...review });
  const result = await client.callTool({
    name: "inbox",
    arguments: { ref: "2026-11-16-varnish", ask: true },
  });
  expect(textOfResult(result)).toContain("Nothing is changed yet");
  expect(home.read("projects/boat/changelog.md")).not.toContain("Varnish came");
  expect(await home.memory.inbox.count()).toBe(1);
});

/** Answers "boat" over two processes in turn, in the protocol in which the answer comes with a new call. */
async function askedThroughTwo(
  keys: readonly [Uint8Array, Uint8Array],
): Promise<{ readonly home: AgentHome; readonly told: Promise<string> }> {
  const review = { "inbox/2026-11-16-varnish/review.md": REVIEW("A line for the boat.") };
  const script = [ANSWERED, { text: "Filed with the boat." }];
  const home = await agentHome({ ...houseFiles, ...review }, script, { now });
  const { service, memory, bugs } = home;
  const onBug = (error: unknown): void => void bugs.push(error);
  const vault = clientOfService({ service, memory, now, onBug });
  const processes = keys.map((key) => {
    const seal = questionSeal(key);
    return createMcpHttp("memory", () => vault, { version: "1", now, onBug, seal });
  });
  onTestFinished(async () => {
    for (const process of processes) await process.close();
  });
  const client = new Client(
    { name: "tester", version: "1" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { answer: "the boat" },
  }));
  let calls = 0;
  const inTurn = async (address: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(address, init);
    const isCall = (await request.clone().text()).includes('"tools/call"');
    const process = processes[isCall ? calls++ % processes.length : 0];
    if (process === undefined) throw new Error("there is no process");
    return process.fetch(request);
  };
  const address = new URL("http://127.0.0.1/mcp/memory");
  await client.connect(new StreamableHTTPClientTransport(address, { fetch: inTurn }));
  onTestFinished(async () => client.close());
  const args = { ref: "2026-11-16-varnish", ask: true };
  const told = client.callTool({ name: "inbox", arguments: args }).then(textOfResult);
  return { home, told };
}

it("takes an answer that reaches another process with the same key, as one of two replicas", async () => {
  const key = Buffer.alloc(32, 7);
  const { home, told } = await askedThroughTwo([key, key]);
  expect(await told).toContain("The person answered: the boat\n\nFiled with the boat.");
  expect(home.read("projects/boat/changelog.md")).toContain("Varnish came");
});

it("refuses an answer to a question of another vault, and the item still waits", async () => {
  const { home, told } = await askedThroughTwo([Buffer.alloc(32, 7), Buffer.alloc(32, 8)]);
  await expect(told).rejects.toThrow("requestState");
  expect(await home.memory.inbox.count()).toBe(1);
});
