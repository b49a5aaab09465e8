import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";

import { problemResponse } from "./problem.ts";

/** Longer than a client of ours is idle between two calls; it is told, and does not use a connection that is about to close. */
const KEEP_ALIVE = 60_000;
/** To send a request, not to answer it. */
const SENDING = 60_000;
const LOOKING = 10_000;
/** What was sent before its sender could know that we are closing arrives within this time. */
const CROSSING = 50;

/** On an answer to what was not even begun, because the server is closing: it may be asked of the next one. */
export const NOT_BEGUN_HEADER = "coffre-not-begun";

/** In milliseconds, how long a client may take. */
export interface Patience {
  /** To send the head of a request. */
  readonly head?: number;
  /** To send all of it. */
  readonly request?: number;
  /** How often those that are late are looked for. */
  readonly look?: number;
}

export interface HttpServer {
  readonly server: Server;
  /** Takes no new call, ends subscriptions, and lets calls under way finish. */
  readonly close: () => Promise<void>;
}

/**
 * An HTTP server that ends in good order, whatever it will listen on.
 * @param appOf is asked at each request: by then it is known where the server listens
 */
export function createHttpServer(appOf: () => Hono, patience: Patience = {}): HttpServer {
  const { head = SENDING, request: whole = SENDING, look = LOOKING } = patience;
  const subscriptions = new Set<{ destroy(): unknown }>();
  const listener = getRequestListener(
    async (request, env) => {
      if (!server.listening) return closingResponse();
      const response = await appOf().fetch(request, env);
      if (!isSubscription(request, response)) return response;
      if (!server.listening) {
        await response.body?.cancel();
        return closingResponse();
      }
      const { outgoing } = env;
      subscriptions.add(outgoing);
      outgoing.on("close", () => subscriptions.delete(outgoing));
      return response;
    },
    { overrideGlobalObjects: false, errorHandler: refuseMalformed },
  );
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE,
      headersTimeout: Math.min(head, whole),
      requestTimeout: whole,
      connectionsCheckingInterval: look,
    },
    (request, response) => void listener(request, response),
  );
  const calls = countCalls(server);
  const waiting = unusedConnections(server);
  return {
    server,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      // Not HTTP's own, which cuts connections on which nothing is asked while a request may be on its way.
      NetServer.prototype.close.call(server);
      // Those who watch whether we live are told first, and ask no more.
      for (const each of [...subscriptions, ...waiting]) each.destroy();
      await calls.finished();
      await pause(CROSSING);
      await calls.finished();
      server.closeAllConnections();
      await closed;
    },
  };
}

function closingResponse(): Response {
  const response = problemResponse({
    code: "unavailable",
    message: "The service is ending, and has not begun what was asked. Try again.",
  });
  response.headers.set(NOT_BEGUN_HEADER, "1");
  return response;
}

/** Connections on which nothing was asked yet. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.on("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return unused;
}

/** What cannot even be read as a request; anything else that ends here is a bug. */
function refuseMalformed(error: unknown): Response {
  if (!(error instanceof RequestError)) throw error;
  const message = `The request is not valid: ${error.message}.`;
  return problemResponse({ code: "invalid_argument", message });
}

/** Those have no end of their own, and their clients come again. Other event streams that answer a POST are calls. */
function isSubscription(request: Request, { headers }: Response): boolean {
  const isAsked =
    request.method === "GET" || request.headers.get("mcp-method") === "subscriptions/listen";
  return isAsked && (headers.get("content-type") ?? "").startsWith("text/event-stream");
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
