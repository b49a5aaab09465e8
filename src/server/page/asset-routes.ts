import { Hono, type Context } from "hono";

import { acceptedEncoding } from "../http/compress.ts";
import { pageAsset, pageFrame } from "./page-files.ts";

/** In this browser only: proxies must not cache what needs the token. */
const CACHE_FOREVER = "private, max-age=31536000, immutable";

/**
 * The files of the page, and the documents that it shows in frames.
 * @param otherwise answers for a file that there is not
 */
export function assetRoutes(page: string, otherwise: (c: Context) => Promise<Response>): Hono {
  const app = new Hono();
  app.get("/assets/:name", async (c) => {
    const asset = await pageAsset(page, c.req.param("name"), takesBrotli(c));
    // The app says so as it does for any other address.
    if (asset === null) return otherwise(c);
    return c.body(asset.bytes, 200, {
      "content-type": asset.mimeType,
      "cache-control": CACHE_FOREVER,
      vary: "accept-encoding",
      ...(asset.encoding === null ? {} : { "content-encoding": asset.encoding }),
    });
  });
  app.get("/frame/:name", async (c) => {
    const frame = await pageFrame(page, c.req.param("name"), takesBrotli(c));
    if (frame === null) return otherwise(c);
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
  return app;
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
