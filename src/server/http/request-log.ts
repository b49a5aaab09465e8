import { randomUUID } from "node:crypto";

import type { MiddlewareHandler } from "hono";

import type { Log } from "./log.ts";

const HEADER = "x-request-id";
/** What a caller may choose as the id of its request: nothing that could break a line of the log. */
const ACCEPTED = /^[\w.-]{1,100}$/u;
/** Health checks are not logged: they would hide the rest. */
const HEALTH_CHECK = "/api/alive";

/** A request passes through two apps, the guarded one and the inner one: both must know it by the same id. */
const ids = new WeakMap<Request, string>();

/** The id of a request in its answer and in the log: the caller's own, or a random one. */
export function requestId(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const given = request.headers.get(HEADER) ?? "";
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ids.set(request, id);
  return id;
}

/** Puts the id on every answer. */
export const withRequestId: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set(HEADER, requestId(c.req.raw));
};

/** Logs every request without its query, which holds paths of notes. */
export function logRequests(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { method, path, raw } = c.req;
    if (path === HEALTH_CHECK) return;
    const ms = Math.round((performance.now() - started) * 10) / 10;
    log.info({ request: requestId(raw), method, path, status: c.res.status, ms }, "request");
  };
}
