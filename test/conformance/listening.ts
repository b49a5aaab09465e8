import { createServer, request } from "node:http";
import { once } from "node:events";

import { serve } from "@hono/node-server";
import { onTestFinished } from "vitest";

/** Serves a function over HTTP on this machine until the test ends; resolves to its address. */
export async function listening(fetch: (request: Request) => Promise<Response>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await promise}`;
}

/** Passes everything on to an address with one more header, as the suite cannot send a token. */
export async function withHeader(
  address: URL,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const own = `127.0.0.1:${port}`;
    const renamed = (text: string | undefined): string | undefined =>
      text?.replace(own, address.host);
    const given = { ...incoming.headers, ...headers };
    for (const name of ["host", "origin"]) {
      const value = renamed(incoming.headers[name]?.toString());
      if (value !== undefined) given[name] = value;
    }
    const { method, url = "/" } = incoming;
    const sent = request(new URL(url, address), { method, headers: given }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return `http://127.0.0.1:${port}`;
}
