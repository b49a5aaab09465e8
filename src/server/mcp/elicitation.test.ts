import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";

import { textOfResult } from "../../cli/testing/mcp-client.ts";
import { agentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call, UNSURE } from "../../testing/models/house-script.ts";
import { clientOfService } from "../testing/owner.ts";
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

const script = [UNSURE, { text: "Asked." }, ANSWERED, { text: "Filed with the boat." }];

it("puts the question of coffre's own agent to the person, and files by the answer", async () => {
  const { service, memory, read, bugs } = await agentHome(houseFiles, script, { now });
  const onBug = (error: unknown): void => void bugs.push(error);
  const vault = clientOfService({ service, memory, now, onBug });
  const profile = "memory";
  const server = createMcpServer({ profile, version: "1", vault, now, onBug, tells: "nothing" });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client(
    { name: "tester", version: "1" },
    { capabilities: { elicitation: {} } },
  );
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { answer: "the boat" } };
  });
  await client.connect(other);
  onTestFinished(async () => client.close());
  const result = await client.callTool({
    name: "remember",
    arguments: { content: NOTE, said_by_person: true, wait: true },
  });
  expect(asked).toEqual([
    "two tins of varnish\n\nIs it for the boat or for the floor of the house?",
  ]);
  expect(textOfResult(result)).toContain("The person answered: the boat\n\nFiled with the boat.");
  expect(read("projects/boat/changelog.md")).toContain("Varnish came");
  expect(await memory.inbox.count()).toBe(0);
  expect(bugs).toEqual([]);
});
