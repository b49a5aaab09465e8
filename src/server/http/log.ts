import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";

import type { MiddlewareHandler } from "hono";
import type { DestinationStream, Logger } from "pino";

/** Bytes. A larger log file is renamed to the old one, which replaces the one before. */
const MAX_BYTES = 5_000_000;
/** Lines between two checks of the size. */
const CHECK_INTERVAL = 1000;

const ID_HEADER = "x-request-id";
/** What a caller may choose as the id of its request: nothing that could break a line of the log. */
const ACCEPTED_ID = /^[\w.-]{1,100}$/u;
/** Health checks are not logged: they would hide the rest. */
const HEALTH_CHECK = "/api/alive";

/** What happened, for debugging. Never the text of a note or a question, and never a token. */
export interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface LogFile extends Log {
  /** Lines of JSON. */
  readonly file: string;
  close(): void;
}

/** For processes without a log file. */
export const silentLog: Log = { info: () => {}, error: () => {} };

/** The log of the process that owns a vault, in its state folder. Written synchronously: a killed process loses no line. */
export async function openLog(
  state: string,
  { maxBytes = MAX_BYTES, checkInterval = CHECK_INTERVAL } = {},
): Promise<LogFile> {
  // Loaded when needed: commands that only look write no log.
  const { pino } = await import("pino");
  const folder = path.join(state, "log");
  const file = path.join(folder, "service.log");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const openFile = (): ReturnType<typeof pino.destination> => {
    const opened = pino.destination({ dest: file, sync: true });
    chmodSync(file, 0o600);
    return opened;
  };
  let destination = openFile();
  let lines = 0;
  const rotating: DestinationStream = {
    write: (line) => {
      if (lines % checkInterval === 0 && statSync(file).size > maxBytes) {
        destination.end();
        renameSync(file, path.join(folder, "service.old.log"));
        destination = openFile();
      }
      lines += 1;
      destination.write(line);
    },
  };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const log: Logger = pino({ base: { pid: process.pid }, timestamp }, rotating);
  return {
    file,
    info: (facts, message) => log.info(facts, message),
    error: (facts, message) => log.error(facts, message),
    close: () => destination.end(),
  };
}

/** A request over TCP passes through two apps, the guarded one and the inner one: both use the same id. */
const ids = new WeakMap<Request, string>();

/** The id of a request in its answer and in the log: the caller's own, or a random one. */
export function requestId(request: Request): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const given = request.headers.get(ID_HEADER) ?? "";
  const id = ACCEPTED_ID.test(given) ? given : randomUUID();
  ids.set(request, id);
  return id;
}

/** Puts the id on every answer. */
export const withRequestId: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set(ID_HEADER, requestId(c.req.raw));
};

/** Logs every request without its query, which holds paths of notes. */
export function logRequests(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { method, path: asked, raw } = c.req;
    if (asked === HEALTH_CHECK) return;
    const ms = elapsed(started);
    const facts = { request: requestId(raw), method, path: asked, status: c.res.status, ms };
    log.info(facts, "request");
  };
}

/** Milliseconds since `started`, with one decimal. */
export function elapsed(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
