import { isIP } from "node:net";

import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";

import { Challenge } from "../../team/identity/challenge.ts";
import type { Verifier } from "../../team/identity/verifier.ts";
import type { Person } from "../../team/people/people.ts";
import type { Team } from "../../team/people/team.ts";
import { Rights, SCOPES, type Limit } from "../../team/rights/rights.ts";
import type { Access } from "../auth/access.ts";
import { problemResponse, unauthorizedResponse } from "../http/problem.ts";
import type { Voice } from "../http/voice.ts";
import { serverOf } from "./people/resource.ts";
import { scopeRefusal } from "./people/scope-guard.ts";

/** The operator's; the same on every replica, whatever port it listens on. */
const OPERATOR_COOKIE = "coffre-team";
/** A person's login. */
const SESSION_COOKIE = "coffre-session";
/** Seconds: 90 days. */
const OPERATOR_AGE = 90 * 24 * 60 * 60;
/** They change nothing. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
/** No vault has this id. */
const NO_VAULT = -1;

/** Who sends a request, and with what. */
interface Sender {
  /** `operator`, `token ID`, `session ID` or `oidc`: for the audit and the rate limits, without its secret. */
  readonly credential: string;
  /** What the credential allows at most. */
  readonly limit: Limit;
  /** Whose word the request carries: only a page has no token. */
  readonly voice: Voice;
  /** Whether a browser sent it, by its login. */
  readonly isSession: boolean;
}

/** Somebody of the team. What they may do in a vault is asked at each request. */
export interface PersonCaller extends Sender {
  readonly kind: "person";
  readonly person: Person;
}

/** Who holds the token of the service, or its cookie: may do everything in every vault, as whoever runs it can by the database. */
export interface OperatorCaller extends Sender {
  readonly kind: "operator";
  readonly person: null;
}

export type TeamCaller = PersonCaller | OperatorCaller;

/** The vault that a request asks, by its address. */
export interface AskedVault {
  readonly name: string;
  /** Null when there is none of this name. */
  readonly id: number | null;
}

/**
 * The one place where it is decided who sends a request: a caller, or the answer that refuses them.
 * @param vault null for what concerns no vault: a token for one vault is refused there
 */
export type DecideCaller = (c: Context, vault: AskedVault | null) => Promise<TeamCaller | Response>;

export interface CallersOptions {
  readonly access: Access;
  readonly verifier: Verifier;
  /** Where browsers reach the service through a proxy; null when they reach it directly. */
  readonly publicUrl: URL | null;
}

/** Recognises the operator by the token or cookie of the service, and people by what the verifier knows. */
export function callersOf({ access, verifier, publicUrl }: CallersOptions): DecideCaller {
  return async (c, vault) => {
    const authorization = c.req.header("authorization") ?? null;
    const [, token = ""] = /^Bearer +(\S+)$/iu.exec(authorization ?? "") ?? [];
    if (authorization !== null && access.isToken(token)) return operator("client");
    const cookie = sessionCookie(c);
    // A browser that has both is the person that it logged in as.
    const isOperator = authorization === null && cookie === null && hasOperatorCookie(c, access);
    if (isOperator) return isFromElsewhere(c) ? forged() : operator("person");
    const within = addressOf(c, publicUrl, vault);
    const server = serverOf(c.req.path)?.server;
    const resource = server === undefined ? within : baseOf(c, publicUrl) + server;
    try {
      const { isSession, ...known } = await verifier.verify(
        { authorization, cookie },
        { resource, within, vault: vault?.id ?? NO_VAULT },
      );
      if (isSession && (isFromElsewhere(c) || isUnknownChange(c))) return forged();
      const voice = isSession ? "person" : "client";
      const caller: TeamCaller = { kind: "person", ...known, voice, isSession };
      const refusal = server === undefined ? null : await scopeRefusal(c.req.raw, caller, resource);
      return refusal === null ? caller : challengeResponse(refusal);
    } catch (error) {
      if (error instanceof Challenge) return challengeResponse(error);
      throw error;
    }
  };
}

/** What a caller may do in a vault now; null when they see nothing of it, or there is none. */
export async function rightsOf(
  team: Team,
  { person, limit }: TeamCaller,
  { id }: AskedVault,
): Promise<Rights | null> {
  if (id === null) return null;
  if (person === null) return new Rights([{ folder: "", role: "owner" }]);
  const rights = await team.grants.rights(person.id, id, [limit]);
  return rights.seesSomething ? rights : null;
}

/** Who opens a page in a browser, which sends no header: the person of its login, `operator`, or nobody. A link on another site may lead here. */
export async function visitorOf(
  c: Context,
  { access, verifier }: Pick<CallersOptions, "access" | "verifier">,
): Promise<Person | "operator" | null> {
  const cookie = sessionCookie(c);
  if (cookie === null) return hasOperatorCookie(c, access) ? "operator" : null;
  try {
    const shown = { authorization: null, cookie };
    return (await verifier.verify(shown, { resource: c.req.url, vault: NO_VAULT })).person;
  } catch (error) {
    if (error instanceof Challenge) return null;
    throw error;
  }
}

/** The address of a vault, or of the service: what a token of a login provider must be made for. */
export function addressOf(c: Context, publicUrl: URL | null, vault: AskedVault | null): string {
  const base = baseOf(c, publicUrl);
  return vault === null ? base : `${base}/v/${vault.name}`;
}

/** The address of the service, without a slash at its end. */
export function baseOf(c: Context, publicUrl: URL | null): string {
  return publicUrl?.origin ?? new URL(c.req.url).origin;
}

export function setOperatorCookie(c: Context, access: Access, isSecure: boolean): void {
  const common = { httpOnly: true, sameSite: "Strict", path: "/" } as const;
  setCookie(c, OPERATOR_COOKIE, access.cookie, {
    ...common,
    maxAge: OPERATOR_AGE,
    secure: isSecure,
  });
  // Else it would go on as the person who is logged in.
  clearSessionCookie(c);
}

/** `Lax`: a link in a mail opens the page of somebody who is logged in; nothing else of another site gets through {@link callersOf}. */
export function setSessionCookie(
  c: Context,
  session: { readonly cookie: string; readonly expires: Date },
  isSecure: boolean,
): void {
  const common = { httpOnly: true, sameSite: "Lax", path: "/" } as const;
  setCookie(c, SESSION_COOKIE, session.cookie, {
    ...common,
    expires: session.expires,
    secure: isSecure,
  });
}

/** The login that a browser sends; null when it sends none. */
export function sessionCookie(c: Context): string | null {
  return getCookie(c, SESSION_COOKIE) ?? null;
}

/** Of a person and of the operator: nobody is logged in with this browser after it. */
export function clearCookies(c: Context): void {
  clearSessionCookie(c);
  deleteCookie(c, OPERATOR_COOKIE, { path: "/" });
}

function clearSessionCookie(c: Context): void {
  deleteCookie(c, SESSION_COOKIE, { path: "/" });
}

export function hasOperatorCookie(c: Context, access: Access): boolean {
  return access.isCookie(getCookie(c, OPERATOR_COOKIE) ?? "");
}

function operator(voice: Voice): OperatorCaller {
  const limit = { scopes: SCOPES, folder: null };
  const isSession = voice === "person";
  return { kind: "operator", person: null, credential: "operator", limit, voice, isSession };
}

/** Whether the page of another server sent a request with a cookie: cookies are shared by all ports of a machine. */
function isFromElsewhere(c: Context): boolean {
  const site = c.req.header("sec-fetch-site") ?? "none";
  return site !== "same-origin" && site !== "none";
}

/**
 * Whether a request changes something and nothing says that our own page sent it: `Lax` alone is no protection. Over plain HTTP, where browsers
 * do not say it, they send an `Origin`, which was compared before.
 */
function isUnknownChange(c: Context): boolean {
  if (SAFE_METHODS.has(c.req.method)) return false;
  const site = c.req.header("sec-fetch-site");
  return site === undefined ? c.req.header("origin") === undefined : site !== "same-origin";
}

function forged(): Response {
  return problemResponse({
    code: "no_permission",
    message: "The page of another server may not use this one; only its own may.",
  });
}

function challengeResponse({ status, message, header }: Challenge): Response {
  if (status === 401) return unauthorizedResponse(message, header);
  const response = problemResponse({ code: "no_permission", message });
  response.headers.set("www-authenticate", header);
  return response;
}

/** Where a request came from: as the nearest proxy says, when there is one. */
export function senderOf(c: Context, isBehindProxy: boolean): string | null {
  const forwarded = c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  if (isBehindProxy && forwarded !== undefined && isIP(forwarded) !== 0) return forwarded;
  const { incoming } = Env.safeParse(c.env).data ?? {};
  return incoming?.socket?.remoteAddress ?? null;
}

const Env = z.object({
  incoming: z.object({ socket: z.object({ remoteAddress: z.string().optional() }).nullish() }),
});
