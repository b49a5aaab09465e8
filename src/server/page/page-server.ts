import { Hono, type MiddlewareHandler } from "hono";

import type { Link } from "../api/contract.ts";
import { Access } from "../auth/access.ts";
import { guardOrigin, guardToken, refuseTokenInUrl } from "../auth/guards.ts";
import { startTcpServer } from "../http/http-server.ts";
import { withRequestId } from "../http/log.ts";
import { addressUrl, type TcpAddress } from "../http/tcp-address.ts";
import { loginRoutes, newLink } from "./login-page.ts";
import { LOGIN_STYLE_HASH } from "./login-texts.ts";
import { PAGE_FOLDER, PageFiles } from "./page-files.ts";

export interface PageServer {
  readonly address: string;
  newLink(): Link;
  close(): Promise<void>;
}

export interface PageServerOptions {
  readonly app: Hono;
  readonly token: string;
  readonly at: TcpAddress;
  readonly now: () => Date;
}

/** Serves the app to browsers and to programs over TCP, which must show the token. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const access = new Access(options.token, options.now);
  const page = new PageFiles(PAGE_FOLDER);
  const { address, close } = await startTcpServer(
    (found) => createTcpApp(options.app, access, found, page),
    options.at,
  );
  const url = addressUrl(address);
  return {
    address: url,
    newLink: () => ({ address: url, link: newLink(access, address) }),
    close,
  };
}

/** In this browser only: proxies must not cache what needs the token. */
const CACHE_FOREVER = "private, max-age=31536000, immutable";

/**
 * The app behind its guards: any program on this machine can connect to a port, and so can browsers on behalf of any page. Without the token
 * only the login page is served.
 */
export function createTcpApp(
  app: Hono,
  access: Access,
  address: TcpAddress,
  page: PageFiles,
): Hono {
  const guarded = new Hono();
  guarded.use(withRequestId, securityHeaders, guardOrigin(address), refuseTokenInUrl(access));
  guarded.route("/", loginRoutes(access, address, page));
  guarded.use(guardToken(access, address));
  guarded.get("/assets/:name", async (c) => {
    const asset = await page.asset(c.req.param("name"));
    if (asset === null) return c.notFound();
    const { mimeType, bytes } = asset;
    return c.body(bytes, 200, { "content-type": mimeType, "cache-control": CACHE_FOREVER });
  });
  guarded.all("*", async (c) => app.fetch(c.req.raw, c.env));
  return guarded;
}

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self' ${LOGIN_STYLE_HASH}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Restricts what browsers do with every answer. Data of the vault is never cached, other answers only if they allow it. */
const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  const isData = c.req.path.startsWith("/api/") || c.req.path.startsWith("/mcp/");
  if (isData || !c.res.headers.has("cache-control")) {
    c.res.headers.set("cache-control", "no-store");
  }
};
