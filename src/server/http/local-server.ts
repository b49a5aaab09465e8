import { once } from "node:events";

import type { Hono } from "hono";

import { explainErrno } from "../../errors.ts";
import { guardEndpoint, prepareEndpoint } from "./endpoint.ts";
import { createHttpServer } from "./http-server.ts";

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
