import { Hono, type Context, type MiddlewareHandler } from "hono";

import { LOCAL_ONLY } from "../api/backup-routes.ts";
import type { Link } from "../api/contract.ts";
import { Access } from "../auth/access.ts";
import { guardOrigin, guardToken, refuseTokenInUrl, tcpVoice } from "../auth/guards.ts";
import { acceptedEncoding, compressAnswers } from "../http/compress.ts";
import { startTcpServer } from "../http/http-server.ts";
import { problemResponse } from "../http/problem.ts";
import { addressUrl, type TcpAddress } from "../http/tcp-address.ts";
import type { Door } from "../http/voice.ts";
import { appRoutes, iconRoutes } from "./app-routes.ts";
import { loginRoutes, newLink } from "./login-page.ts";
import { LOGIN_STYLE_HASH } from "./login-texts.ts";
import { SHARE_PATH } from "./manifest.ts";
import { PAGE_FOLDER, pageAsset, pageFrame } from "./page-files.ts";
import { pagePolicy, POLICY_HEADER } from "./page-policy.ts";

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
  const { address, close } = await startTcpServer(
    (found) => createTcpApp(options.app, access, found, PAGE_FOLDER),
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
 * @param page the folder of the built page
 */
export function createTcpApp(app: Hono, access: Access, address: TcpAddress, page: string): Hono {
  const guarded = new Hono();
  guarded.use(securityHeaders, compressAnswers);
  // Nothing is read of what is shared, so it may come from anywhere: browsers name no page of ours as its origin.
  guarded.post(SHARE_PATH, (c) => c.redirect(SHARE_PATH, 303));
  guarded.use(guardOrigin(address), refuseTokenInUrl(access));
  guarded.route("/", iconRoutes(page));
  guarded.route("/", loginRoutes(access, address, page));
  guarded.use(guardToken(access, address));
  guarded.route("/", appRoutes(page));
  guarded.get("/assets/:name", async (c) => {
    const asset = await pageAsset(page, c.req.param("name"), takesBrotli(c));
    // The app says so as it does for any other address.
    if (asset === null) return app.fetch(c.req.raw, c.env);
    return c.body(asset.bytes, 200, {
      "content-type": asset.mimeType,
      "cache-control": CACHE_FOREVER,
      vary: "accept-encoding",
      ...(asset.encoding === null ? {} : { "content-encoding": asset.encoding }),
    });
  });
  guarded.get("/frame/:name", async (c) => {
    const frame = await pageFrame(page, c.req.param("name"), takesBrotli(c));
    if (frame === null) return app.fetch(c.req.raw, c.env);
    c.header("content-security-policy", frameCsp(frame.scriptHash, c.req.param("name")));
    c.header("x-frame-options", "SAMEORIGIN");
    c.header("cache-control", "private, no-cache");
    c.header("etag", frame.etag);
    if (c.req.header("if-none-match") === frame.etag) return c.body(null, 304);
    return c.body(frame.bytes, 200, {
      "content-type": frame.mimeType,
      vary: "accept-encoding",
      ...(frame.encoding === null ? {} : { "content-encoding": frame.encoding }),
    });
  });
  for (const path of LOCAL_ONLY) {
    guarded.all(path, () =>
      problemResponse({
        code: "no_permission",
        message: `${path} is not reached over TCP, only by commands of this user on this machine.`,
      }),
    );
  }
  guarded.all("*", async (c) => {
    const door: Door = { voice: tcpVoice(c) };
    return app.fetch(c.req.raw, Object.assign({}, c.env, door));
  });
  return guarded;
}

function takesBrotli(c: Context): boolean {
  return acceptedEncoding(c.req.header("accept-encoding")) === "br";
}

/**
 * The policy of a document that draws what others wrote with a large library: an origin of its own, its one script, nothing from anywhere, and
 * only our page may show it. The library sets styles, so those are allowed in there.
 */
function frameCsp(scriptHash: string, name: string): string {
  // The one that shows an image of another server, after somebody asked for it.
  const images = name === "picture" ? "https: http:" : "data:";
  return `sandbox allow-scripts; default-src 'none'; script-src '${scriptHash}'; style-src 'unsafe-inline'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
}

const HEADERS: Readonly<Record<string, string>> = {
  [POLICY_HEADER]: pagePolicy(LOGIN_STYLE_HASH),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const FRAMED = /^\/(?:frame\/|api\/media$)/u;

/** Restricts what browsers do with every answer. Data of the vault is never cached, other answers only if they allow it. */
const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    // The document of the page has a policy of its own, with its nonce, and so has what it shows in a frame.
    const isOwn = name === POLICY_HEADER || FRAMED.test(c.req.path);
    if (!isOwn || !c.res.headers.has(name)) c.res.headers.set(name, value);
  }
  const isData = c.req.path.startsWith("/api/") || c.req.path.startsWith("/mcp/");
  if (isData || !c.res.headers.has("cache-control")) {
    c.res.headers.set("cache-control", "no-store");
  }
};
