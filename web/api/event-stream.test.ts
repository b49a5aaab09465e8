import { expect, it } from "vitest";

import { readEventStream, type StreamEvent } from "./event-stream.ts";

it("puts events together, however they are cut up on the way", async () => {
  const text =
    'event: call\ndata: {"tool":"tree"}\n\n: still here\n\nevent: text\ndata: "é"\n\nevent: half\nda';
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start: (stream) => {
      for (const byte of bytes) stream.enqueue(Uint8Array.of(byte));
      stream.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEventStream(new Response(body))) events.push(event);
  expect(events).toEqual([
    { name: "call", data: '{"tool":"tree"}' },
    { name: "text", data: '"é"' },
  ]);
});
