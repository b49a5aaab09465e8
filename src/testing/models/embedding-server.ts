import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

import { onTestFinished } from "vitest";
import { z } from "zod";

import { toyVector } from "./toy-meaning.ts";

const Body = z.object({ model: z.string(), input: z.array(z.string()) });

/** How the server behaves; may be changed while it runs. */
export interface Manners {
  /** Answers with this status instead. */
  status?: number;
  /** Waits so many milliseconds first. */
  delay?: number;
  /** Refuses all texts of a request when one has more letters than this. */
  longest?: number;
  /** Instead of the toy model. */
  vector?: (text: string) => Float32Array;
  /** The whole answer, whatever was asked. */
  answer?: string;
}

export interface EmbeddingServer {
  readonly url: string;
  readonly manners: Manners;
  /** Every text it was given, and the `Authorization` it was shown. */
  readonly texts: string[];
  readonly keys: (string | undefined)[];
}

/** A server that speaks OpenAI's `/v1/embeddings` on the loopback, until the test ends. */
export async function startEmbeddingServer(manners: Manners = {}): Promise<EmbeddingServer> {
  const texts: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    void answer(request, response, { manners, texts });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, manners, texts, keys };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { manners, texts }: { manners: Manners; texts: string[] },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  if (manners.delay !== undefined) await pause(manners.delay);
  if (manners.status !== undefined || request.url !== "/v1/embeddings") {
    response.writeHead(manners.status ?? 404).end('{"error":{"message":"no"}}');
    return;
  }
  const { model, input } = Body.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  const { longest = Number.POSITIVE_INFINITY } = manners;
  if (input.some((text) => text.length > longest)) {
    response.writeHead(400).end('{"error":{"message":"too long"}}');
    return;
  }
  texts.push(...input);
  const vectorOf = manners.vector ?? toyVector;
  const data = input.map((text, index) => ({
    object: "embedding",
    index,
    embedding: [...vectorOf(text)],
  }));
  response.writeHead(200, { "content-type": "application/json" });
  // Out of order, as the protocol allows.
  response.end(
    manners.answer ?? JSON.stringify({ object: "list", model, data: data.toReversed() }),
  );
}
