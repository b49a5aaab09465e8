import { randomUUID } from "node:crypto";

import {
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from "@modelcontextprotocol/server";

import { asAnswered } from "./mcp-errors.ts";

/** More are not kept: the least recently used is closed, and its client starts a new one by itself. */
const MAX_SESSIONS = 100;
/** Milliseconds without a request after which a session is closed: most clients end without saying so. */
const MAX_IDLE = 60 * 60_000;
/** Milliseconds between two looks for idle sessions. */
const CHECK_INTERVAL = 5 * 60_000;

interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  /** On the clock of the options. */
  lastUsed: number;
}

/** How a session began: the `initialize` of its client. */
export interface BegunSession {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sessions that any replica can go on with. */
export interface McpSessionStore {
  save(id: string, begun: BegunSession): Promise<void>;
  /** Null when there is none. */
  load(id: string): Promise<BegunSession | null>;
  /** Whether it has not ended: its client may have told another replica. */
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
}

export interface McpSessionsOptions {
  /** Makes the server of a client that sent this `initialize`. */
  readonly createServer: (request: Request, id: string) => McpServer;
  /** Where sessions are kept for other replicas; left out, they are of this process alone. */
  readonly store?: McpSessionStore | undefined;
  readonly maxBodyBytes: number;
  /** Answers come as a stream, which carries progress notifications. */
  readonly isStreaming?: boolean;
  readonly maxSessions?: number;
  /** Milliseconds. */
  readonly maxIdle?: number;
  readonly now: () => Date;
}

/**
 * Clients over HTTP that speak a protocol before 2026: they initialize once and then use a session id. Each has its own server, so that what
 * one has read does not count for another.
 */
export class McpSessions {
  readonly #options: McpSessionsOptions;
  /** The least recently used first. */
  readonly #byId = new Map<string, McpSession>();
  readonly #restoring = new Map<string, Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: McpSessionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.closeIdle(), CHECK_INTERVAL);
    this.#timer.unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#initialize(request);
    const session = (await this.#held(id)) ?? (await this.#restored(id));
    if (session === undefined) return unknownSession();
    session.lastUsed = this.#now();
    // Last in the map is last used.
    this.#byId.delete(id);
    this.#byId.set(id, session);
    return session.transport.handleRequest(request);
  }

  /** Closes the sessions that nobody has used for long. */
  closeIdle(): void {
    const { maxIdle = MAX_IDLE } = this.#options;
    for (const [id, { lastUsed }] of this.#byId) {
      if (this.#now() - lastUsed <= maxIdle) return;
      this.#drop(id);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const servers = [...this.#byId.values()].map(({ server }) => server);
    this.#byId.clear();
    await Promise.all(servers.map(async (server) => server.close()));
  }

  /** The transport refuses any other request; then it is closed. */
  async #initialize(request: Request): Promise<Response> {
    const { store } = this.#options;
    const id = randomUUID();
    if (store === undefined) return this.#begin(request, id);
    const { url, headers } = request;
    const body = await request.clone().text();
    const response = await this.#begin(request, id);
    // Before the client is answered: its next request may come to another replica.
    if (this.#byId.has(id))
      await store.save(id, { url, headers: Object.fromEntries(headers), body });
    return response;
  }

  /** A session that this process has; undefined when there is none, or none any more. */
  async #held(id: string): Promise<McpSession | undefined> {
    const { store } = this.#options;
    if (store === undefined || !this.#byId.has(id) || (await store.has(id)))
      return this.#byId.get(id);
    this.#drop(id);
    return undefined;
  }

  /** A session that began on another replica, as if it had begun here; undefined when there is none. */
  async #restored(id: string): Promise<McpSession | undefined> {
    const begun = this.#restoring.get(id) ?? this.#restore(id);
    this.#restoring.set(id, begun);
    await begun.finally(() => this.#restoring.delete(id));
    return this.#byId.get(id);
  }

  async #restore(id: string): Promise<void> {
    const begun = (await this.#options.store?.load(id)) ?? null;
    if (begun === null) return;
    const { url, headers, body } = begun;
    const response = await this.#begin(new Request(url, { method: "POST", headers, body }), id);
    await response.body?.cancel();
  }

  async #begin(request: Request, id: string): Promise<Response> {
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.#add(id, { transport, server, lastUsed: this.#now() }),
      onsessionclosed: async () => {
        this.#byId.delete(id);
        await this.#options.store?.remove(id);
      },
      enableJsonResponse: this.#options.isStreaming !== true,
      maxRequestBodySize: this.#options.maxBodyBytes,
    });
    const server = this.#options.createServer(request, id);
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #add(id: string, session: McpSession): void {
    this.#byId.set(id, session);
    const [oldest] = this.#byId;
    if (oldest === undefined || this.#byId.size <= (this.#options.maxSessions ?? MAX_SESSIONS)) {
      return;
    }
    this.#drop(oldest[0]);
  }

  #drop(id: string): void {
    const session = this.#byId.get(id);
    this.#byId.delete(id);
    // Streams of it that were broken meanwhile are of no interest.
    session?.server.close().catch(() => {});
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}

/** Gives mistakes of callers the code that the protocol has for them. */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  override async send(
    ...[message, options]: Parameters<WebStandardStreamableHTTPServerTransport["send"]>
  ): Promise<void> {
    return super.send(asAnswered(message), options);
  }
}

/** Clients start a new session after this answer. */
function unknownSession(): Response {
  return Response.json(
    {
      jsonrpc: "2.0",
      error: { code: -32_001, message: "This session is not known here: initialize again." },
      id: null,
    },
    { status: 404 },
  );
}
