import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { Hono } from "hono";
import { describe, expect, it } from "vitest";

import { acceptedEncoding, compressAnswers } from "./compress.ts";

const LONG = { text: "the pump in the cellar ".repeat(200) };

function app(): Hono {
  const hono = new Hono();
  hono.use(compressAnswers);
  hono.get("/long", (c) => c.json(LONG, 201, { "x-kept": "yes" }));
  hono.get("/short", (c) => c.json({ a: 1 }));
  hono.get("/none", (c) => c.body(null, 204));
  hono.get("/bytes", (c) => c.body(new Uint8Array(5000), 200, { "content-type": "image/png" }));
  hono.get("/events", () => {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(`data: ${"x".repeat(3000)}\n\n`)),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return hono;
}

async function ask(path: string, encoding: string): Promise<Response> {
  return app().request(path, { headers: { "accept-encoding": encoding } });
}

describe("answers", () => {
  it("are compressed as the client accepts it, and say the same", async () => {
    const packed = await ask("/long", "gzip, deflate, br");
    expect(packed.status).toBe(201);
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(packed.headers.get("x-kept")).toBe("yes");
    expect(packed.headers.get("vary")).toBe("accept-encoding");
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(bytes.length).toBeLessThan(400);
    expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual(LONG);
    const zipped = await ask("/long", "gzip");
    expect(JSON.parse(gunzipSync(await zipped.arrayBuffer()).toString())).toEqual(LONG);
  });

  it("are sent as they are to a client that does not ask, and when there is nothing to gain", async () => {
    for (const [path, encoding] of [
      ["/long", ""],
      ["/long", "br;q=0, identity"],
      ["/short", "br"],
      ["/none", "br"],
      ["/bytes", "br"],
    ] as const) {
      expect((await ask(path, encoding)).headers.get("content-encoding"), path).toBeNull();
    }
    expect(await (await ask("/short", "br")).json()).toEqual({ a: 1 });
  });

  it("that are event streams arrive as they are written", async () => {
    const response = await ask("/events", "br, gzip");
    expect(response.headers.get("content-encoding")).toBeNull();
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^data: x/u);
    await reader?.cancel();
  });
});

it.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["*", "br"],
  ["identity", null],
  [undefined, null],
])("a client that accepts %j gets %j", (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
