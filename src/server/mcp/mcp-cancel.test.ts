import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";

import { appTransport } from "../client/transport.ts";
import { VaultClient } from "../client/vault-client.ts";
import { createMcpServer } from "./mcp-server.ts";

it("ends the run of a question that its client cancels, and reports its steps until then", async () => {
  const ended = Promise.withResolvers<void>();
  const step =
    'event: step\ndata: {"type":"call","id":"1","tool":"search","args":"{}","about":"roof"}\n\n';
  const app = {
    // A question that is never answered: it streams one step, and notes when nobody listens any more.
    fetch: async (): Promise<Response> =>
      new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(new TextEncoder().encode(step)),
          cancel: () => ended.resolve(),
        }),
      ),
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
  const cancel = new AbortController();
  const steps: unknown[] = [];
  const asked = client.callTool(
    { name: "recall", arguments: { question: "why?" } },
    {
      signal: cancel.signal,
      onprogress: ({ message }) => {
        steps.push(message);
        cancel.abort();
      },
    },
  );
  await expect(asked).rejects.toThrow("abort");
  await ended.promise;
  expect(steps).toEqual(["Searching for roof"]);
});
