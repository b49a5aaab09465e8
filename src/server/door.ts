import { Hono, type Context } from "hono";
import { setCookie } from "hono/cookie";

import { CODE_MINUTES, type Access } from "./access.ts";
import { cookieName, hasCookie } from "./guards.ts";
import { addressUrl, type TcpAddress } from "./tcp-address.ts";

const DAYS = 24 * 60 * 60;
/** As long as the token is the same; a new link costs one command. */
const COOKIE_AGE = 90 * DAYS;

type Lang = "en" | "fr";

const TEXTS = {
  en: {
    closed: [
      "This vault is private.",
      "To open it in this browser, run <code>coffre open</code>, or use the link that <code>coffre serve</code> printed.",
    ],
    used: [
      "This link no longer works.",
      `A link works once, for ${CODE_MINUTES} minutes. Run <code>coffre open</code> for a new one.`,
    ],
    open: [
      "This browser may use the vault.",
      "This version of coffre has no page yet; its answers are under <code>/api</code>.",
    ],
  },
  fr: {
    closed: [
      "Ce coffre est privé.",
      "Pour l’ouvrir dans ce navigateur, lancez <code>coffre open</code>, ou suivez le lien affiché par <code>coffre serve</code>.",
    ],
    used: [
      "Ce lien ne marche plus.",
      `Un lien sert une fois, pendant ${CODE_MINUTES} minutes. Lancez <code>coffre open</code> pour en avoir un autre.`,
    ],
    open: [
      "Ce navigateur peut utiliser le coffre.",
      "Cette version de coffre n’a pas encore de page ; ses réponses sont sous <code>/api</code>.",
    ],
  },
} as const;

/** A link that lets its first visitor in. */
export function newLink(access: Access, address: TcpAddress): string {
  return `${addressUrl(address)}/enter?code=${access.newCode()}`;
}

/** Where browsers come in: a link is exchanged for a cookie, and whoever has neither is told how to get one. */
export function createDoor(access: Access, address: TcpAddress): Hono {
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
    return c.html(page(c, "used"), 401);
  });

  door.get("/", (c) => {
    if (hasCookie(c, access, address)) return c.html(page(c, "open"));
    // After a click on the link in another page, browsers hold the new cookie back until a page of ours asks.
    if (c.req.header("sec-fetch-site") === "cross-site") return c.html(ASK_AGAIN);
    return c.html(page(c, "closed"));
  });

  return door;
}

const ASK_AGAIN =
  '<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>coffre</title></head><body><a href="/">coffre</a></body></html>\n';

function page(c: Context, which: keyof (typeof TEXTS)["en"]): string {
  const lang = preferred(c.req.header("accept-language") ?? "");
  const [title, text] = TEXTS[lang][which];
  c.header("vary", "accept-language, cookie");
  return `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>coffre</title></head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>
`;
}

/** French when it is wanted more than English. */
function preferred(header: string): Lang {
  const wish = (lang: Lang): number => {
    const wishes = header
      .toLowerCase()
      .split(",")
      .map((part) => /^\s*([a-z]+)[^;]*(?:;\s*q=([\d.]+))?/u.exec(part))
      .filter((found) => found?.[1] === lang)
      .map((found) => Number(found?.[2] ?? 1));
    return Math.max(0, ...wishes);
  };
  const [french, english] = [wish("fr"), wish("en")];
  const isFirst = header.toLowerCase().search(/\bfr\b/u) < header.toLowerCase().search(/\ben\b/u);
  return french > english || (french > 0 && french === english && isFirst) ? "fr" : "en";
}
