import type { Context, MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";

import type { Access } from "./access.ts";
import { problemResponse, unauthorizedResponse } from "../http/problem.ts";
import { isReachedAs, type TcpAddress } from "../http/tcp-address.ts";
import type { Voice } from "../http/voice.ts";

/**
 * Accepts only requests that name this server (against DNS rebinding), and none from the page of another server.
 * @param publicUrl where browsers reach it through a proxy
 */
export function guardOrigin(address: TcpAddress, publicUrl: URL | null = null): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header("host") ?? "";
    const isPublic = publicUrl !== null && host.toLowerCase() === publicUrl.host;
    if (!isPublic && !isReachedAs(host, address)) {
      return forbidden(
        `This server is not called ${JSON.stringify(host)} (Host header); use the address that \`coffre serve\` prints.`,
      );
    }
    const origin = c.req.header("origin");
    const own = isPublic ? publicUrl.origin : `http://${host.toLowerCase()}`;
    if (origin !== undefined && origin.toLowerCase() !== own) {
      return forbidden(
        `A page of ${JSON.stringify(origin)} (Origin header) may not use this server; only its own may.`,
      );
    }
    return next();
  };
}

/** Refuses a token in a URL even when it is right: browser histories and logs keep URLs. */
export function refuseTokenInUrl(access: Pick<Access, "isToken">): MiddlewareHandler {
  return async (c, next) => {
    const given = [...new URL(c.req.url).searchParams];
    const hasToken = given.some(
      ([name, value]) => /^(?:access_)?token$/iu.test(name) || access.isToken(value),
    );
    if (!hasToken) return next();
    return problemResponse({
      code: "invalid_argument",
      message:
        "A token does not belong in a URL, which browser histories and logs keep. Send it as a header: Authorization: Bearer TOKEN.",
    });
  };
}

/** Accepts only requests with the token, or with the cookie that a browser has instead. */
export function guardToken(access: Access, address: TcpAddress): MiddlewareHandler {
  return async (c, next) => {
    const authorization = c.req.header("authorization");
    if (authorization === undefined) {
      if (!hasCookie(c, access, address)) {
        return unauthorized("Send the token as a header: Authorization: Bearer TOKEN.", "");
      }
      // Cookies are shared by all ports of a machine: the page of another local server would send ours too.
      const site = c.req.header("sec-fetch-site") ?? "none";
      if (site === "same-origin" || site === "none") return next();
      return forbidden("The page of another server may not use this one; only its own may.");
    }
    const [, token = ""] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
    if (access.isToken(token)) return next();
    return unauthorized(
      "The Authorization header does not hold this service's token.",
      ', error="invalid_token"',
    );
  };
}

/** Whose word a request is that {@link guardToken} accepted: only the page has no token. */
export function tcpVoice(c: Context): Voice {
  return c.req.header("authorization") === undefined ? "person" : "client";
}

/** Whether a browser logged in before. */
export function hasCookie(c: Context, access: Access, address: TcpAddress): boolean {
  return access.isCookie(getCookie(c, cookieName(address)) ?? "");
}

/** With the port, because browsers send cookies to all ports of a host. */
export function cookieName({ port }: TcpAddress): string {
  return `coffre-${port}`;
}

function forbidden(message: string): Response {
  return problemResponse({ code: "no_permission", message });
}

const WHERE =
  "It is the file `token` in the vault's state folder (`coffre status` shows it), unless the service was started with another.";

function unauthorized(problem: string, challenge: string): Response {
  return unauthorizedResponse(`${problem} ${WHERE}`, `Bearer realm="coffre"${challenge}`);
}
