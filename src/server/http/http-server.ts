import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import { getRequestListener, RequestError } from "@hono/node-server";
import { Hono } from "hono";

import { errnoOf, ExpectedError, explainErrno, type ErrorCode } from "../../errors.ts";
import { guardEndpoint, prepareEndpoint } from "./endpoint.ts";
import { boundedStream } from "./bounded-stream.ts";
import { ID_HEADER, requestId } from "./log.ts";
import { bugResponse, NOT_BEGUN_HEADER, problemResponse } from "./problem.ts";
import type { TcpAddress } from "./tcp-address.ts";

/** Milliseconds, longer than a client of ours is idle between two calls. Clients read it and drop a connection that is about to close. */
const KEEP_ALIVE = 60_000;
/** Milliseconds to receive a request, not to answer it. */
const RECEIVE_TIMEOUT = 60_000;
/** Milliseconds to receive the headers over TCP: slow senders would tie up connections. */
const TCP_HEADERS_TIMEOUT = 15_000;
/** Milliseconds between two checks for requests that are late. */
const CHECK_INTERVAL = 10_000;
/** Milliseconds in which a request arrives that was sent before its sender could know that we are closing. */
const IN_FLIGHT = 50;
/** Connections over TCP. One user's programs need far fewer. */
const MAX_CONNECTIONS = 4000;
/** Connections that wait to be accepted. */
const BACKLOG = 2048;

/** In milliseconds, how long a client may take. */
export interface Timeouts {
  /**
   * How long connections that are open when the server closes are still answered, the last time each. Left out, requests on them are refused at
   * once: whoever sends them knows where else to ask. A proxy does not, and gives the refusal to its client.
   */
  readonly linger?: number;
  /** To send the headers of a request. */
  readonly head?: number;
  /** To send all of it. */
  readonly request?: number;
  /** How often late requests are looked for. */
  readonly check?: number;
}

interface ClosingServer {
  /** Rejects new calls, ends subscriptions, lets calls under way finish, and removes a socket. */
  readonly close: () => Promise<void>;
}

export interface LocalServer extends ClosingServer {
  /** What clients connect to. */
  readonly endpoint: string;
}

export interface TcpServer extends ClosingServer {
  /** With the port that was picked, when 0 was asked for. */
  readonly address: TcpAddress;
}

/**
 * Serves the app to this user's processes on this machine. Only the owner of the vault may: the socket of another would be replaced.
 */
export async function startLocalServer(app: Hono, state: string): Promise<LocalServer> {
  const endpoint = prepareEndpoint(state);
  const { server, close } = createHttpServer(() => app);
  try {
    server.listen(endpoint);
    await once(server, "listening");
    guardEndpoint(endpoint);
  } catch (error) {
    server.close();
    throw explainErrno(error, endpoint);
  }
  return { endpoint, close };
}

/** Listens on TCP, with the app that `appAt` makes for where it listens. */
export async function startTcpServer(
  appAt: (address: TcpAddress) => Hono,
  asked: TcpAddress,
  timeouts: Timeouts = {},
): Promise<TcpServer> {
  let app = new Hono();
  const { server, close } = createHttpServer(() => app, { head: TCP_HEADERS_TIMEOUT, ...timeouts });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    server.listen({ ...asked, backlog: BACKLOG });
    await once(server, "listening");
  } catch (error) {
    server.close();
    throw explainListening(error, asked);
  }
  const found = server.address();
  const port = typeof found === "object" && found !== null ? found.port : asked.port;
  const address = { host: asked.host, port };
  app = appAt(address);
  return { address, close };
}

function explainListening(error: unknown, { host, port }: TcpAddress): unknown {
  const isNoAddress = `${JSON.stringify(host)} is no address of this machine. Choose another with --host, or leave it out.`;
  const known: Readonly<Record<string, readonly [ErrorCode, string]>> = {
    EADDRINUSE: [
      "busy",
      `Port ${port} of ${host} is in use by another program, perhaps the service of another vault. Choose another with --port, or a free one with --port 0.`,
    ],
    EACCES: [
      "no_permission",
      `This user may not listen on port ${port}. Choose one above 1023 with --port.`,
    ],
    EADDRNOTAVAIL: ["invalid_argument", isNoAddress],
    ENOTFOUND: ["invalid_argument", isNoAddress],
    EAI_AGAIN: ["invalid_argument", isNoAddress],
  };
  const found = known[errnoOf(error) ?? ""];
  return found === undefined ? error : new ExpectedError(found[0], found[1], { cause: error });
}

/**
 * An HTTP server that closes gracefully, whatever it will listen on.
 * @param appOf called at each request: by then it is known where the server listens
 */
export function createHttpServer(
  appOf: () => Hono,
  timeouts: Timeouts = {},
): ClosingServer & { readonly server: Server } {
  const { head = RECEIVE_TIMEOUT, request: whole = RECEIVE_TIMEOUT, linger } = timeouts;
  const subscriptions = new Set<{ destroy(): unknown }>();
  const listener = getRequestListener(
    async (request, env) => {
      if (!server.listening && linger === undefined) return closingResponse();
      const response = await appOf().fetch(request, env);
      response.headers.set(ID_HEADER, requestId(request));
      if (!isSubscription(request, response)) return response;
      if (!server.listening) {
        await response.body?.cancel();
        return closingResponse();
      }
      const { outgoing } = env;
      subscriptions.add(outgoing);
      outgoing.on("close", () => subscriptions.delete(outgoing));
      return boundedStream(response, () => outgoing.destroy());
    },
    // Its own `Response`, which is sent without a stream in between, is used only when it is the global one.
    { overrideGlobalObjects: true, errorHandler: refuseMalformed },
  );
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE,
      headersTimeout: Math.min(head, whole),
      requestTimeout: whole,
      connectionsCheckingInterval: timeouts.check ?? CHECK_INTERVAL,
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
      // HTTP's own `close` would cut idle connections on which a request may be on its way.
      NetServer.prototype.close.call(server);
      for (const each of subscriptions) each.destroy();
      // Clients that watch these connections turn to the next owner, and send no more requests here.
      if (linger === undefined) for (const each of waiting) each.destroy();
      await calls.finished();
      await pause(linger ?? IN_FLIGHT);
      await calls.finished();
      server.closeAllConnections();
      await closed;
    },
  };
}

function closingResponse(): Response {
  const response = problemResponse({
    code: "unavailable",
    message: "The service is ending and did nothing for this request. Try again.",
  });
  response.headers.set(NOT_BEGUN_HEADER, "1");
  return response;
}

/** Connections without a request so far. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.on("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));
  return unused;
}

/** For bytes that are not a valid request; any other error here is a bug, and must not end the process. */
function refuseMalformed(error: unknown): Response {
  if (!(error instanceof RequestError)) {
    process.emitWarning(error instanceof Error ? error : String(error));
    return bugResponse();
  }
  const message = `The request is not valid: ${error.message}.`;
  return problemResponse({ code: "invalid_argument", message });
}

/** An event stream without an end, whose client reconnects. Other event streams that answer a POST are calls. */
function isSubscription(request: Request, { headers }: Response): boolean {
  const isWanted =
    request.method === "GET" || request.headers.get("mcp-method") === "subscriptions/listen";
  return isWanted && (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** Counts the calls under way. */
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
