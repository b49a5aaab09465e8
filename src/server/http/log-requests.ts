import type { MiddlewareHandler } from "hono";

import type { Log } from "./log.ts";
import { requestId } from "./request-id.ts";

/** Asked so often, by ourselves, that it would hide the rest. */
const UNTOLD = "/api/alive";

/** Writes a line for every request: without what follows `?`, where paths of notes are. */
export function logRequests(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { method, path, raw } = c.req;
    if (path === UNTOLD) return;
    const ms = Math.round((performance.now() - started) * 10) / 10;
    log.info({ request: requestId(raw), method, path, status: c.res.status, ms }, "request");
  };
}
