import { randomUUID } from "node:crypto";

import type { MiddlewareHandler } from "hono";

const HEADER = "x-request-id";
/** What a caller may call its request: nothing that could disturb a line of the log. */
const ACCEPTED = /^[\w.-]{1,100}$/u;

const ids = new WeakMap<Request, string>();

/** What a request is called in its answer and in the log: as its caller says, or else a name of its own. */
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
