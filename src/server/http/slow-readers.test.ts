import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

import { Hono } from "hono";
import { expect, it, onTestFinished } from "vitest";

import { boundedStream } from "./bounded-stream.ts";
import { startTcpServer } from "./http-server.ts";

const CHUNK = new Uint8Array(64 * 1024).fill(0x61);
/** More than the buffers of the system and the bound of a stream together. */
const FAR_TOO_MUCH = 64 * 1024 * 1024;

it("disconnects a subscriber that does not read, and ends what was sent to it", async () => {
  const ended = Promise.withResolvers<void>();
  const sources: ReadableStreamDefaultController<Uint8Array>[] = [];
  const app = new Hono();
  app.get("/events", () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        sources.push(controller);
      },
      cancel: () => {
        sources.pop();
        ended.resolve();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const server = await startTcpServer(() => app, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => server.close());
  const client = connect(server.address.port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  client.on("error", () => {});
  client.write("GET /events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  // The answer has begun; nothing more is read.
  await once(client, "readable");
  let sent = 0;
  // Queues without bound, as the MCP library does.
  for (let [source] = sources; source !== undefined && sent < FAR_TOO_MUCH; [source] = sources) {
    source.enqueue(CHUNK);
    sent += CHUNK.byteLength;
    await nextTurn();
  }
  await ended.promise;
  expect(sent).toBeLessThan(FAR_TOO_MUCH);
  client.resume();
  await once(client, "close");
});

it("passes on everything to a client that reads, and ends with its source", async () => {
  const texts = Array.from({ length: 500 }, (_, at) => `event ${at}\n`);
  const body = ReadableStream.from(texts.map((text) => Buffer.from(text)));
  const response = boundedStream(new Response(body, { status: 201 }), () => {}, 100_000);
  expect(response.status).toBe(201);
  expect(await response.text()).toBe(texts.join(""));
});
