import { Hono, type Context, type MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";

import { ExpectedError } from "../../../errors.ts";
import { RateLimits, type Rate } from "../../../team/audit/rate-limit.ts";
import { ownPath } from "../../../team/identity/oidc-login.ts";
import type { Person } from "../../../team/people/people.ts";
import { tooManyResponse } from "../../http/problem.ts";
import { languageOf } from "../../page/visitor-language.ts";
import { clearCookies, senderOf, sessionCookie, setSessionCookie, visitorOf } from "../callers.ts";
import type { TeamAppOptions } from "../team-app.ts";
import { eventOfLogin } from "./asked-vault.ts";
import { deadDeviceHtml, devicePageHtml } from "./device-page.ts";
import { invitationIn } from "./invitation-link.ts";
import { invitePageHtml, loginPageHtml, refusedHtml } from "./login-pages.ts";

/** Binds a login with a provider to the browser that began it. */
const LOGIN_COOKIE = "coffre-login";
/** The invitation that a login with a provider is to accept. */
const INVITE_COOKIE = "coffre-invite";
/** Seconds: as long as a login may take. */
const LOGIN_AGE = 600;
/** Of one address, whoever is behind it: what is sent here by nobody that is known is written to the database. */
const RATE: Rate = { perSecond: 10, burst: 200 };
/** How the audit calls it. */
const ACCEPTED = "invitation accepted";
/** Bytes: a secret and a name. */
const LONGEST_FORM = 10_000;

export type LoginRoutesOptions = Pick<
  TeamAppOptions,
  "access" | "verifier" | "team" | "publicUrl" | "login" | "now"
>;

/** How people come in: with a login provider, by an invitation, or by a link of their own for another device. What only a link leads to changes nothing; forms do. */
export function loginRoutes(options: LoginRoutesOptions): Hono {
  const { team, login, publicUrl, now } = options;
  const isSecure = publicUrl?.protocol === "https:";
  const limits = new RateLimits(RATE);
  const limit: MiddlewareHandler = async (c, next) => {
    const wait = limits.take([senderOf(c, publicUrl !== null) ?? ""], now().getTime());
    return wait > 0 ? tooManyResponse(wait) : next();
  };
  const app = new Hono();
  app.use("/login/*", limit);
  app.use("/invite", limit);
  app.use("/device", limit);

  app.get("/login", async (c) => {
    const to = ownPath(c.req.query("to") ?? "/");
    if ((await visitorOf(c, options)) !== null) return c.redirect(to, 303);
    return c.html(loginPageHtml(await languageOf(c), login !== null, to));
  });

  app.get("/login/oidc", async (c) => {
    if (login === null) return c.redirect("/login", 303);
    const invitation = invitationIn(c.req.query("invite") ?? "");
    try {
      const { address, browser } = await login.begin(c.req.query("to") ?? "/");
      remember(c, LOGIN_COOKIE, browser);
      remember(c, INVITE_COOKIE, invitation ?? "");
      return c.redirect(address, 303);
    } catch (error) {
      return failed(c, error);
    }
  });

  app.get("/login/callback", async (c) => {
    if (login === null) return c.redirect("/login", 303);
    const browser = getCookie(c, LOGIN_COOKIE) ?? null;
    const invitation = invitationIn(getCookie(c, INVITE_COOKIE) ?? "");
    remember(c, LOGIN_COOKIE, "");
    remember(c, INVITE_COOKIE, "");
    const { code = null, state = null, iss: issuer = null } = c.req.query();
    try {
      const { identity, returnTo } = await login.finish({ code, state, issuer, browser });
      const seen = invitation === null ? null : await team.invitations.look(invitation);
      const person =
        invitation === null
          ? await team.people.byIdentity(identity)
          : await team.admit(invitation, identity);
      if (person === null || person.disabled !== null)
        return c.html(refusedHtml(await languageOf(c), "unknown"), 403);
      await letIn(c, person, {
        call: seen === null ? "login" : ACCEPTED,
        vault: seen?.vault ?? null,
      });
      return c.redirect(seen === null ? returnTo : `/v/${seen.vault}/`, 303);
    } catch (error) {
      return failed(c, error);
    }
  });

  app.get("/invite", async (c) => {
    const lang = await languageOf(c);
    const code = invitationIn(c.req.query("code") ?? "");
    const seen = code === null ? null : await team.invitations.look(code);
    if (code === null || seen === null) return c.html(refusedHtml(lang, "dead"), 404);
    const person = seen.person ?? (await visitor(c));
    const given = { code, vault: seen.vault, person: person?.name ?? null };
    return c.html(invitePageHtml(lang, { ...given, hasProvider: login !== null }));
  });

  app.post("/invite", async (c) => {
    const lang = await languageOf(c);
    const form = await formOf(c);
    const code = invitationIn(form.get("code") ?? "");
    const seen = code === null ? null : await team.invitations.look(code);
    if (code === null || seen === null) return c.html(refusedHtml(lang, "dead"), 404);
    const present = await visitor(c);
    // Whom the link lets in again is who comes in, whoever used this browser before.
    const by = seen.person === null || seen.person.id === present?.id ? present : null;
    const newcomer = { name: form.get("name") ?? "", email: null };
    try {
      const person = await team.invitations.accept(code, by ?? newcomer);
      await letIn(c, person, { call: ACCEPTED, vault: seen.vault });
      return c.redirect(`/v/${seen.vault}/`, 303);
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      if (error.code === "unavailable") return failed(c, error);
      // Somebody else was faster, or has the address by now; only a name can be given again.
      if (error.code !== "invalid_argument") return c.html(refusedHtml(lang, "dead"), 404);
      const again = { code, vault: seen.vault, person: null, isNameRefused: true };
      return c.html(invitePageHtml(lang, { ...again, hasProvider: login !== null }), 400);
    }
  });

  app.get("/device", async (c) => {
    const lang = await languageOf(c);
    const code = c.req.query("code") ?? "";
    const person = await team.sessions.look(code);
    if (person === null) return c.html(deadDeviceHtml(lang), 404);
    return c.html(devicePageHtml(lang, code, person.name));
  });

  app.post("/device", async (c) => {
    const person = await team.sessions.redeem((await formOf(c)).get("code") ?? "");
    if (person === null) return c.html(deadDeviceHtml(await languageOf(c)), 404);
    await letIn(c, person, { call: "device link used", vault: null });
    return c.redirect("/", 303);
  });

  // The form of the list of vaults, which runs no script.
  app.post("/logout", async (c) => {
    const cookie = sessionCookie(c);
    if (cookie !== null) await team.sessions.end(cookie);
    clearCookies(c);
    return c.redirect("/", 303);
  });

  return app;

  /** A browser is shown a page where a program would be told what went wrong. */
  async function failed(c: Context, error: unknown): Promise<Response> {
    if (!(error instanceof ExpectedError)) throw error;
    const status = error.code === "unavailable" ? 503 : 403;
    return c.html(refusedHtml(await languageOf(c), "failed"), status);
  }

  async function visitor(c: Context): Promise<Person | null> {
    const found = await visitorOf(c, options);
    return found === "operator" ? null : found;
  }

  /** Every login gets a session of its own, and ends the one that the browser had. */
  async function letIn(
    c: Context,
    person: Person,
    by: { readonly call: string; readonly vault: string | null },
  ): Promise<void> {
    const before = sessionCookie(c);
    if (before !== null) await team.sessions.end(before);
    setSessionCookie(c, await team.sessions.start(person.id), isSecure);
    const sender = senderOf(c, publicUrl !== null);
    await team.audit.add(eventOfLogin(person, { ...by, sender }));
  }

  /** `Lax`, since the provider sends the browser back from another site. */
  function remember(c: Context, name: string, value: string): void {
    setCookie(c, name, value, {
      httpOnly: true,
      sameSite: "Lax",
      path: "/login",
      maxAge: value === "" ? 0 : LOGIN_AGE,
      secure: isSecure,
    });
  }
}

async function formOf(c: Context): Promise<URLSearchParams> {
  const length = Number(c.req.header("content-length") ?? Number.NaN);
  const isForm = /^application\/x-www-form-urlencoded\b/iu.test(c.req.header("content-type") ?? "");
  if (isForm && length <= LONGEST_FORM) return new URLSearchParams(await c.req.text());
  throw new ExpectedError("invalid_argument", "Send the form of the invitation's page.");
}
