import { Hono } from "hono";

import type { Access } from "../auth/access.ts";
import { createDoor } from "../auth/login-page.ts";
import { guardOrigin, guardToken, refuseTokenInUrl, securityHeaders } from "../auth/guards.ts";
import type { PageFiles } from "./page-files.ts";
import { withRequestId } from "./request-log.ts";
import type { TcpAddress } from "./tcp-address.ts";

/** In this browser only: proxies must not keep what is behind the token. */
const FOR_EVER = "private, max-age=31536000, immutable";

/**
 * The app with its guards before it: anything on this machine can connect to a port, browsers on behalf of any page included.
 * Nothing but the door is open to those who show no token.
 */
export function createTcpApp(
  app: Hono,
  access: Access,
  address: TcpAddress,
  page: PageFiles,
): Hono {
  const guarded = new Hono();
  guarded.use(withRequestId, securityHeaders, guardOrigin(address), refuseTokenInUrl(access));
  guarded.route("/", createDoor(access, address, page));
  guarded.use(guardToken(access, address));
  guarded.get("/assets/:name", async (c) => {
    const asset = await page.asset(c.req.param("name"));
    if (asset === null) return c.notFound();
    const { mimeType, bytes } = asset;
    return c.body(bytes, 200, { "content-type": mimeType, "cache-control": FOR_EVER });
  });
  guarded.all("*", async (c) => app.fetch(c.req.raw, c.env));
  return guarded;
}
