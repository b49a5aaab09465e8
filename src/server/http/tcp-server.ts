import { once } from "node:events";

import type { Hono } from "hono";

import { errnoOf, ExpectedError, type ErrorCode } from "../../errors.ts";
import { createHttpServer, type Patience } from "./http-server.ts";
import type { TcpAddress } from "./tcp-address.ts";

/** Of this machine and this user, as a rule: more connections than this are a program gone mad. */
const MOST_CONNECTIONS = 4000;
/** Those that come at once wait here, rather than be sent away. */
const BACKLOG = 2048;
/** A head is a few lines: who sends them drop by drop wants to keep us waiting. */
const HEAD = 15_000;

export interface TcpServer {
  /** With the port that was picked, when 0 was asked for. */
  readonly address: TcpAddress;
  /** Takes no new call, and lets those under way finish. */
  readonly close: () => Promise<void>;
}

/** Listens on TCP, with the app that `appAt` makes for where it listens. */
export async function startTcpServer(
  appAt: (address: TcpAddress) => Hono,
  asked: TcpAddress,
  patience: Patience = {},
): Promise<TcpServer> {
  let app: Hono | null = null;
  const { server, close } = createHttpServer(
    () => {
      if (app === null) throw new Error("asked before it listens");
      return app;
    },
    { head: HEAD, ...patience },
  );
  server.maxConnections = MOST_CONNECTIONS;
  try {
    server.listen({ host: asked.host, port: asked.port, backlog: BACKLOG });
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
  if (found === undefined) return error;
  const [code, message] = found;
  return new ExpectedError(code, message, { cause: error });
}
