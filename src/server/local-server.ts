import { once } from "node:events";
import { createServer, type Server } from "node:http";

import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";

import { explainErrno } from "../vault/errors.ts";
import { guardEndpoint, prepareEndpoint } from "./endpoint.ts";

/** Longer than a client of ours is idle between two calls; it is told, and does not use a connection that is about to close. */
const KEEP_ALIVE = 60_000;
/** To send a request, not to answer it. */
const SENDING = 60_000;

export interface LocalServer {
  /** What clients connect to. */
  readonly endpoint: string;
  /** Takes no new call, lets those under way finish, and leaves nothing on the disk. */
  close(): Promise<void>;
}

/**
 * Puts the app within reach of this user's processes on this machine. Only the owner of the vault may: the socket of another would be
 * replaced.
 */
export async function startLocalServer(app: Hono, state: string): Promise<LocalServer> {
  const endpoint = prepareEndpoint(state);
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE, requestTimeout: SENDING },
    (request, response) => void listener(request, response),
  );
  const calls = countCalls(server);
  try {
    server.listen(endpoint);
    await once(server, "listening");
    guardEndpoint(endpoint);
  } catch (error) {
    server.close();
    throw explainErrno(error, endpoint);
  }
  return {
    endpoint,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      await calls.finished();
      // What is left are connections on which nothing is asked.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Knows when no call is under way. */
function countCalls(server: Server): { finished(): Promise<void> } {
  let underWay = 0;
  let onFinished = (): void => {};
  server.on("request", (_, response) => {
    underWay += 1;
    // A client that keeps its connection must not keep a closing server.
    if (!server.listening) response.setHeader("connection", "close");
    response.on("close", () => {
      underWay -= 1;
      if (underWay === 0) onFinished();
    });
  });
  return {
    finished: async () => {
      if (underWay === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onFinished = resolve;
      await promise;
    },
  };
}
