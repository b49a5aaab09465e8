import { Hono } from "hono";

import type { Access } from "./access.ts";
import { createDoor } from "./door.ts";
import { guardOrigin, guardToken, refuseTokenInUrl, securityHeaders } from "./guards.ts";
import { withRequestId } from "./request-id.ts";
import type { TcpAddress } from "./tcp-address.ts";

/**
 * The app with its guards before it: anything on this machine can connect to a port, browsers on behalf of any page included.
 * Nothing but the door is open to those who show no token.
 */
export function createTcpApp(app: Hono, access: Access, address: TcpAddress): Hono {
  const guarded = new Hono();
  guarded.use(withRequestId, securityHeaders, guardOrigin(address), refuseTokenInUrl(access));
  guarded.route("/", createDoor(access, address));
  guarded.use(guardToken(access, address));
  guarded.all("*", async (c) => app.fetch(c.req.raw, c.env));
  return guarded;
}
