import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

/** What a server was sent. */
export interface Heard {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly name: string;
  readonly bytes: Buffer;
}

export interface TranscriptionServer {
  /** Its base: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly heard: Heard[];
}

/** A server on this machine that speaks OpenAI's `/audio/transcriptions`. */
export async function startTranscriptionServer(
  answer: (heard: Heard) => { status: number; body: string },
): Promise<TranscriptionServer> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const each = await heardFrom(request);
      heard.push(each);
      const { status, body } = answer(each);
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, heard };
}

async function heardFrom(request: IncomingMessage): Promise<Heard> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { "content-type": type = "", authorization } = request.headers;
  const form = await new Response(Buffer.concat(chunks), {
    headers: { "content-type": type },
  }).formData();
  const file = form.get("file");
  const model = form.get("model");
  if (!(file instanceof File) || typeof model !== "string") throw new Error("no file was sent");
  return {
    path: request.url ?? "",
    authorization,
    model,
    name: file.name,
    bytes: Buffer.from(await file.arrayBuffer()),
  };
}
