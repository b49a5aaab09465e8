import { Hono, type Context } from "hono";
import { setCookie } from "hono/cookie";

import type { Access } from "./access.ts";
import { doorPage, preferredLang, type DoorText } from "./login-texts.ts";
import { cookieName, hasCookie } from "./guards.ts";
import type { PageFiles } from "../http/page-files.ts";
import { addressUrl, type TcpAddress } from "../http/tcp-address.ts";

const DAYS = 24 * 60 * 60;
/** As long as the token is the same; a new link costs one command. */
const COOKIE_AGE = 90 * DAYS;

/** Not the page's: data for programs, and files of the page. */
const NOT_A_VIEW = /^\/(?:api|mcp|assets)\//u;

/** A link that lets its first visitor in. */
export function newLink(access: Access, address: TcpAddress): string {
  return `${addressUrl(address)}/enter?code=${access.newCode()}`;
}

/** Where browsers come in: a link is exchanged for a cookie, and whoever has neither is told how to get one. */
export function createDoor(access: Access, address: TcpAddress, page: PageFiles): Hono {
  const door = new Hono();

  door.get("/enter", (c) => {
    const code = c.req.query("code") ?? "";
    // Programs that look at links before people do ask for the head only.
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
    return c.html(told(c, "used"), 401);
  });

  const show = async (c: Context): Promise<Response> => {
    if (hasCookie(c, access, address)) return c.html((await page.index()) ?? told(c, "unbuilt"));
    // After a click on the link in another page, browsers hold the new cookie back until a page of ours asks.
    if (c.req.header("sec-fetch-site") === "cross-site") return c.html(askAgain(c));
    return c.html(told(c, "closed"), c.req.path === "/" ? 200 : 401);
  };
  door.get("/", show);
  // The page knows its views: any other address that a browser opens is its own, so that views can be linked to and reloaded.
  door.get("*", async (c, next) => {
    const isVisit = c.req.header("accept")?.includes("text/html") === true;
    return isVisit && !NOT_A_VIEW.test(c.req.path) ? show(c) : next();
  });

  return door;
}

function askAgain(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  const here = (pathname + search).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${here}"><title>coffre</title></head><body><a href="${here}">coffre</a></body></html>\n`;
}

function told(c: Context, which: DoorText): string {
  c.header("vary", "accept-language, cookie");
  return doorPage(preferredLang(c.req.header("accept-language") ?? ""), which);
}
