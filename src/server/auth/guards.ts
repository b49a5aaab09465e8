import type { Context, MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";

import type { Access } from "./access.ts";
import { DOOR_STYLE_HASH } from "./login-texts.ts";
import { problemResponse, unauthorizedResponse } from "../http/problem.ts";
import { isReachedAs, type TcpAddress } from "../http/tcp-address.ts";

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self' ${DOOR_STYLE_HASH}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** What browsers are told about every answer. What the vault says is stored nowhere, unless the answer allows it. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  const isData = c.req.path.startsWith("/api/") || c.req.path.startsWith("/mcp/");
  if (isData || !c.res.headers.has("cache-control")) {
    c.res.headers.set("cache-control", "no-store");
  }
};

/** Lets through only what was sent to this server by its own name, and not by the page of another. */
export function guardOrigin(address: TcpAddress): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header("host") ?? "";
    if (!isReachedAs(host, address)) {
      return forbidden(
        `This server is not called ${JSON.stringify(host)} (Host header); use the address that \`coffre serve\` prints.`,
      );
    }
    const origin = c.req.header("origin");
    if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
      return forbidden(
        `A page of ${JSON.stringify(origin)} (Origin header) may not use this server; only its own may.`,
      );
    }
    return next();
  };
}

/** A token in an address is refused even when it is right: addresses are kept in histories and logs. */
export function refuseTokenInUrl(access: Access): MiddlewareHandler {
  return async (c, next) => {
    const given = [...new URL(c.req.url).searchParams];
    const isTold = given.some(
      ([name, value]) => /^(?:access_)?token$/iu.test(name) || access.isToken(value),
    );
    if (!isTold) return next();
    return problemResponse({
      code: "invalid_argument",
      message:
        "A token does not belong in an address, where histories and logs keep it. Send it as a header: Authorization: Bearer TOKEN.",
    });
  };
}

/** Lets through only who shows the token, or the cookie that a browser has in its place. */
export function guardToken(access: Access, address: TcpAddress): MiddlewareHandler {
  return async (c, next) => {
    const authorization = c.req.header("authorization");
    if (authorization === undefined) {
      if (!hasCookie(c, access, address)) return noToken();
      // Cookies are shared by all ports of a machine: a page of another program here would be taken for ours.
      const site = c.req.header("sec-fetch-site") ?? "none";
      if (site === "same-origin" || site === "none") return next();
      return forbidden("The page of another server may not use this one; only its own may.");
    }
    const [, token = ""] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
    return access.isToken(token) ? next() : wrongToken();
  };
}

/** Whether a browser was let in before. */
export function hasCookie(c: Context, access: Access, address: TcpAddress): boolean {
  return access.isCookie(getCookie(c, cookieName(address)) ?? "");
}

/** With the port, because the servers of one machine see one another's cookies. */
export function cookieName({ port }: TcpAddress): string {
  return `coffre-${port}`;
}

function forbidden(message: string): Response {
  return problemResponse({ code: "no_permission", message });
}

function noToken(): Response {
  return unauthorizedResponse(
    "Send the token as a header: Authorization: Bearer TOKEN. It is the file `token` in the vault's state folder (`coffre status` shows it), unless the service was started with another.",
    'Bearer realm="coffre"',
  );
}

function wrongToken(): Response {
  return unauthorizedResponse(
    "The Authorization header does not hold this service's token. It is the file `token` in the vault's state folder (`coffre status` shows it), unless the service was started with another.",
    'Bearer realm="coffre", error="invalid_token"',
  );
}
