import { createHash, randomBytes } from "node:crypto";

import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

import type { Postgres } from "../../storage/postgres/postgres.ts";
import { CODE_MINUTES, type Access } from "../auth/access.ts";
import { problemResponse, unauthorizedResponse } from "../http/problem.ts";
import type { Voice } from "../http/voice.ts";

/** The same on every replica, whatever port it listens on. */
const COOKIE = "coffre-team";
/** Seconds: 90 days. */
const COOKIE_AGE = 90 * 24 * 60 * 60;

/** Who sends a request. At present all who have the token, or the cookie that a browser has instead, are the same person. */
export interface TeamCaller {
  /** Whose word the request carries: the page has no token. */
  readonly voice: Voice;
}

/**
 * The one place where it is decided who sends a request. What is returned is a caller, or the answer that refuses them. Accounts, personal
 * tokens and sign-on replace {@link callerByToken} here.
 */
export type DecideCaller = (c: Context) => Promise<TeamCaller | Response>;

/** Accepts the one token of the service, or the cookie of a browser that was let in. */
export function callerByToken(access: Access): DecideCaller {
  return async (c) => {
    const authorization = c.req.header("authorization");
    if (authorization === undefined) {
      if (!hasTeamCookie(c, access))
        return unauthorized("Send the token as a header: Authorization: Bearer TOKEN.", "");
      // Cookies are shared by all ports of a machine: the page of another local server would send ours too.
      const site = c.req.header("sec-fetch-site") ?? "none";
      if (site === "same-origin" || site === "none") return { voice: "person" };
      return problemResponse({
        code: "no_permission",
        message: "The page of another server may not use this one; only its own may.",
      });
    }
    const [, token = ""] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
    if (access.isToken(token)) return { voice: "client" };
    return unauthorized(
      "The Authorization header does not hold this service's token.",
      ', error="invalid_token"',
    );
  };
}

export function hasTeamCookie(c: Context, access: Access): boolean {
  return access.isCookie(getCookie(c, COOKIE) ?? "");
}

export function setTeamCookie(c: Context, access: Access, isSecure: boolean): void {
  const common = { httpOnly: true, sameSite: "Strict", path: "/", maxAge: COOKIE_AGE } as const;
  setCookie(c, COOKIE, access.cookie, { ...common, secure: isSecure });
}

/** Codes that let one browser in, once, on whichever replica it comes to. */
export class LoginCodes {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  async make(): Promise<string> {
    const code = randomBytes(32).toString("base64url");
    await this.#database.execute(
      "INSERT INTO login_codes (digest, until) VALUES ($1, now() + make_interval(mins => $2))",
      [digestOf(code), CODE_MINUTES],
    );
    return code;
  }

  /** Whether this code is valid; it is used up by this call. */
  async use(code: string): Promise<boolean> {
    const row = await this.#database.one(
      "DELETE FROM login_codes WHERE digest = $1 RETURNING until >= now() AS valid",
      [digestOf(code)],
    );
    return row?.["valid"] === true;
  }
}

function digestOf(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}

function unauthorized(problem: string, challenge: string): Response {
  return unauthorizedResponse(
    `${problem} It is the one that the service was started with.`,
    `Bearer realm="coffre"${challenge}`,
  );
}
