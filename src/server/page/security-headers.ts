import type { MiddlewareHandler } from "hono";

import { LOGIN_STYLE_HASH } from "./login-texts.ts";
import { pagePolicy, POLICY_HEADER } from "./page-policy.ts";

const HEADERS: Readonly<Record<string, string>> = {
  [POLICY_HEADER]: pagePolicy(LOGIN_STYLE_HASH),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Of one of several vaults, an address begins with `/v/NAME`. */
const FRAMED = /^(?:\/v\/[^/]+)?\/(?:frame\/|api\/media$)/u;
const DATA = /^(?:\/v\/[^/]+)?\/(?:api|mcp)\//u;

/** Restricts what browsers do with every answer. Data of the vault is never cached, other answers only if they allow it. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    // The document of the page has a policy of its own, with its nonce, and so has what it shows in a frame.
    const isOwn = name === POLICY_HEADER || FRAMED.test(c.req.path);
    if (!isOwn || !c.res.headers.has(name)) c.res.headers.set(name, value);
  }
  const isData = DATA.test(c.req.path);
  if (isData || !c.res.headers.has("cache-control")) {
    c.res.headers.set("cache-control", "no-store");
  }
};
