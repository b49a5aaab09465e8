import { Hono, type Context } from "hono";
import { setCookie } from "hono/cookie";

import type { Access } from "../auth/access.ts";
import { cookieName, hasCookie } from "../auth/guards.ts";
import { addressUrl, type TcpAddress } from "../http/tcp-address.ts";
import { loginHtml, type LoginText } from "./login-texts.ts";
import { pageIndex } from "./page-files.ts";
import { POLICY_HEADER, withNonce } from "./page-policy.ts";
import { languageOf } from "./visitor-language.ts";

/** Seconds: 90 days. After that, `coffre open` makes a new link. */
const COOKIE_AGE = 90 * 24 * 60 * 60;

/** Data for programs, and files of the page: not views of the page. */
const NOT_A_VIEW = /^\/(?:api|mcp|assets|frame|icons)\//u;

/** A link that logs its first visitor in. */
export function newLink(access: Access, address: TcpAddress): string {
  return `${addressUrl(address)}/enter?code=${access.newCode()}`;
}

/** How browsers log in: a link is exchanged for a cookie. Without both, the page says how to get a link. */
export function loginRoutes(access: Access, address: TcpAddress, page: string): Hono {
  const app = new Hono();

  app.get("/enter", async (c) => {
    const code = c.req.query("code") ?? "";
    // Programs that preview links ask for the head only.
    const isVisit = c.req.method === "GET";
    if (isVisit && access.useCode(code)) {
      setCookie(c, cookieName(address), access.cookie, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        maxAge: COOKIE_AGE,
      });
      return c.redirect("/", 303);
    }
    if (hasCookie(c, access, address)) return c.redirect("/", 303);
    c.header("www-authenticate", 'Bearer realm="coffre"');
    return c.html(await messagePage(c, "used"), 401);
  });

  const show = async (c: Context): Promise<Response> => {
    if (hasCookie(c, access, address)) {
      const index = await pageIndex(page);
      if (index === null) return c.html(await messagePage(c, "unbuilt"));
      const { html, policy } = withNonce(index);
      c.header(POLICY_HEADER, policy);
      return c.html(html);
    }
    // After a click on the link in another page, browsers send the new cookie only when a page of ours asks.
    if (c.req.header("sec-fetch-site") === "cross-site") return c.html(reloadPage(c));
    return c.html(await messagePage(c, "closed"), c.req.path === "/" ? 200 : 401);
  };
  app.get("/", show);
  // Any other URL that a browser opens is a view of the page, so that views can be linked to and reloaded.
  app.get("*", async (c, next) => {
    const isVisit = c.req.header("accept")?.includes("text/html") === true;
    return isVisit && !NOT_A_VIEW.test(c.req.path) ? show(c) : next();
  });

  return app;
}

function reloadPage(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  const here = (pathname + search).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${here}"><title>coffre</title></head><body><a href="${here}">coffre</a></body></html>\n`;
}

async function messagePage(c: Context, which: LoginText): Promise<string> {
  c.header("vary", "accept-language, cookie");
  return loginHtml(await languageOf(c), which);
}
