import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";

import type { MiddlewareHandler } from "hono";
import type { DestinationStream, Logger } from "pino";

/** Bytes. A larger log file is renamed to the old one, which replaces the one before. */
const MAX_BYTES = 5_000_000;
/** Lines between two checks of the size. */
const CHECK_INTERVAL = 1000;

export const ID_HEADER = "x-request-id";
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

/**
 * The log of the process that owns a vault, in its state folder. Written synchronously: a killed process loses no line. A line that cannot be
 * written (a full disk, a removed folder) is dropped: what is being logged matters more than the log.
 */
export async function openLog(
  state: string,
  { maxBytes = MAX_BYTES, checkInterval = CHECK_INTERVAL } = {},
): Promise<LogFile> {
  // Loaded when needed: commands that only look write no log.
  const { pino } = await import("pino");
  const destination = new LogDestination(path.join(state, "log"), maxBytes, checkInterval);
  const timestamp = pino.stdTimeFunctions.isoTime;
  const log: Logger = pino({ base: { pid: process.pid }, timestamp }, destination);
  return {
    file: destination.file,
    info: (facts, message) => log.info(facts, message),
    error: (facts, message) => log.error(facts, message),
    close: () => destination.close(),
  };
}

/** A log for the system's journal: lines of JSON on standard error. */
export async function standardErrorLog(): Promise<Log> {
  const { pino } = await import("pino");
  const timestamp = pino.stdTimeFunctions.isoTime;
  const log: Logger = pino(
    { base: { pid: process.pid }, timestamp },
    pino.destination({ fd: 2, sync: true }),
  );
  return {
    info: (facts, message) => log.info(facts, message),
    error: (facts, message) => log.error(facts, message),
  };
}

/** The file of a log, which never throws. */
class LogDestination implements DestinationStream {
  readonly file: string;
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #checkInterval: number;
  #fd: number | null = null;
  #lines = 0;

  constructor(folder: string, maxBytes: number, checkInterval: number) {
    this.#folder = folder;
    this.file = path.join(folder, "service.log");
    this.#maxBytes = maxBytes;
    this.#checkInterval = checkInterval;
  }

  write(line: string): void {
    try {
      if (this.#lines % this.#checkInterval === 0) this.#rotate();
      this.#lines += 1;
      this.#fd ??= this.#open();
      writeSync(this.#fd, line);
    } catch {
      // The next line opens the file again: its disk may be another one by then.
      this.close();
    }
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = null;
    try {
      if (fd !== null) closeSync(fd);
    } catch {
      // Some disks report at the end that they lost what was written.
    }
  }

  #open(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const fd = openSync(this.file, "a", 0o600);
    fchmodSync(fd, 0o600);
    return fd;
  }

  #rotate(): void {
    const present = statSync(this.file, { throwIfNoEntry: false });
    if (present !== undefined && present.size <= this.#maxBytes) return;
    // A removed file is created again, rather than written to where nobody finds it.
    this.close();
    if (present !== undefined) renameSync(this.file, path.join(this.#folder, "service.old.log"));
  }
}

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

/** Logs every request without its query, which holds paths of notes. */
export function logRequests(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { method, path: asked, raw } = c.req;
    if (asked === HEALTH_CHECK) return;
    const ms = elapsed(started);
    const request = requestId(raw);
    log.info({ request, method, path: loggedPath(asked), status: c.res.status, ms }, "request");
  };
}

/** Addresses of the program itself; any other is one of the page, which names a note. */
const OWN = /^\/(?:api|mcp|assets|frame|icons)\//u;

/** The path of a request as it is logged: an inbox item is named after the first words of its note. */
export function loggedPath(asked: string): string {
  if (!OWN.test(asked)) return asked.replace(/^\/.+/su, "/…");
  return asked.replace(/^(\/api\/inbox\/).+/su, "$1…");
}

/** Milliseconds since `started`, with one decimal. */
export function elapsed(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
