import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";

import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { createMcpServer } from "./mcp-server.ts";

const STEP =
  'event: step\ndata: {"type":"call","id":"1","tool":"search","args":"{}","about":"roof"}\n\n';

/** A client of a service whose runs stream one step and never end, and what that service is asked. */
async function unanswered(): Promise<{
  readonly client: Client;
  readonly asked: Request[];
  /** Resolves when nobody listens to a run any more. */
  readonly isLeft: Promise<void>;
}> {
  const left = Promise.withResolvers<void>();
  const asked: Request[] = [];
  const app = {
    fetch: async (request: Request): Promise<Response> => {
      asked.push(request.clone());
      if (request.url.endsWith("/api/update"))
        return Response.json({ id: "20261116-100000-abcd", status: "accepted" }, { status: 202 });
      return new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(STEP)),
          cancel: () => left.resolve(),
        }),
      );
    },
  };
  const server = createMcpServer({
    profile: "memory",
    version: "1",
    vault: new VaultClient(appTransport(app)),
    now: () => new Date(),
    onBug: () => {},
    tells: "nothing",
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client({ name: "tester", version: "1" });
  await client.connect(other);
  onTestFinished(async () => client.close());
  return { client, asked, isLeft: left.promise };
}

/** Calls a tool, cancels it at its first step, and resolves with the steps it told until then. */
async function cancelled(
  client: Client,
  call: { readonly name: string; readonly arguments: Record<string, unknown> },
): Promise<unknown[]> {
  const cancel = new AbortController();
  const steps: unknown[] = [];
  const told = client.callTool(call, {
    signal: cancel.signal,
    onprogress: ({ message }) => {
      steps.push(message);
      cancel.abort();
    },
  });
  await expect(told).rejects.toThrow("abort");
  return steps;
}

it("ends the run of a question that its client cancels, and reports its steps in words until then", async () => {
  const { client, isLeft } = await unanswered();
  const steps = await cancelled(client, { name: "recall", arguments: { question: "why?" } });
  await isLeft;
  expect(steps).toEqual(["Searching for roof"]);
});

it("ends the wait of a note that its client cancels, and takes nothing back", async () => {
  const { client, asked, isLeft } = await unanswered();
  const call = { name: "remember", arguments: { content: "The roof leaks.", wait: true } };
  await cancelled(client, call);
  await isLeft;
  const sent = asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(sent).toEqual(["POST /api/update", expect.stringMatching(/^GET \/api\/updates\//u)]);
  expect(await asked[0]?.text()).toContain("The roof leaks.");
});
