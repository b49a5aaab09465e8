import { Hono } from "hono";

import { languageOf } from "./visitor-language.ts";
import { manifestOf } from "./manifest.ts";
import { pageIcon, pageWorker } from "./page-files.ts";

const DAY = 24 * 60 * 60;

/** Before anybody is let in: systems fetch icons without a cookie. */
export function iconRoutes(page: string): Hono {
  const app = new Hono();
  app.get("/icons/:name", async (c, next) => {
    const icon = await pageIcon(page, c.req.param("name"));
    if (icon === null) return next();
    const headers = { "content-type": icon.mimeType, "cache-control": `public, max-age=${DAY}` };
    return c.body(icon.bytes, 200, headers);
  });
  return app;
}

/** What makes the page an app that can be installed, for browsers that were let in. */
export function appRoutes(page: string): Hono {
  const app = new Hono();
  app.get("/app.webmanifest", async (c) => {
    const text = JSON.stringify(manifestOf(await languageOf(c)));
    return c.body(text, 200, { "content-type": "application/manifest+json; charset=utf-8" });
  });
  app.get("/worker.js", async (c, next) => {
    const worker = await pageWorker(page);
    if (worker === null) return next();
    const headers = { "content-type": worker.mimeType, "cache-control": "private, no-cache" };
    return c.body(worker.bytes, 200, headers);
  });
  return app;
}
