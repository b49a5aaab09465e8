import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";

import { onTestFinished } from "vitest";

/** How the server behaves; may be changed while it runs. */
export interface ModelServerManners {
  /** Breaks the connection after so many bytes of each answer. */
  breakAfter?: number;
  /** Knows no ranges: sends everything each time. */
  noRanges?: boolean;
  /** Says a checksum that is not the file's. */
  wrongChecksum?: boolean;
  /** Sends this instead, as a proxy with a login page does. */
  instead?: string;
}

export interface ModelServer {
  readonly url: string;
  readonly manners: ModelServerManners;
  /** What was asked: `HEAD /x`, `GET /x bytes=5-`. */
  readonly asked: string[];
}

/** A store of large files on the loopback: says checksum and size where it sends one on, as the usual one does. */
export async function startModelServer(
  model: Buffer,
  manners: ModelServerManners = {},
): Promise<ModelServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    asked.push([method, url, headers.range].filter((part) => part !== undefined).join(" "));
    if (url.includes("/nothing.gguf")) response.writeHead(404).end();
    else if (url.startsWith("/store/")) send(response, headers.range);
    else {
      const sum = createHash("sha256").update(manners.wrongChecksum === true ? "" : model);
      response.writeHead(302, {
        location: `/store${url}`,
        "x-linked-size": model.length,
        "x-linked-etag": `"${sum.digest("hex")}"`,
      });
      response.end();
    }
  });
  const send = (response: ServerResponse, range: string | undefined): void => {
    if (manners.instead !== undefined) {
      response.writeHead(200).end(manners.instead);
      return;
    }
    const from = manners.noRanges === true ? 0 : Number(/\d+/u.exec(range ?? "0")?.[0]);
    const rest = model.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { "content-length": rest.length });
    if (manners.breakAfter === undefined || manners.breakAfter >= rest.length) response.end(rest);
    else {
      response.write(rest.subarray(0, manners.breakAfter));
      // Not at once: what is on its way when a connection breaks is lost.
      setTimeout(() => response.destroy(), 200);
    }
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, manners, asked };
}
