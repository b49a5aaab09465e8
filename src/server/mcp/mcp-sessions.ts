import { randomUUID } from "node:crypto";

import {
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from "@modelcontextprotocol/server";

/** The least recently used session is closed; its client starts a new one by itself. */
const MAX_SESSIONS = 500;

interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
}

export interface McpSessionsOptions {
  /** Makes the server of a client that sent this `initialize`. */
  readonly createServer: (request: Request) => McpServer;
  readonly maxBodyBytes: number;
  /** Answers come as a stream, which carries progress notifications. */
  readonly isStreaming?: boolean;
  readonly maxSessions?: number;
}

/**
 * Clients over HTTP that speak a protocol before 2026: they initialize once and then use a session id. Each has its own server, so that what
 * one has read does not count for another.
 */
export class McpSessions {
  readonly #options: McpSessionsOptions;
  readonly #byId = new Map<string, McpSession>();

  constructor(options: McpSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#byId.size;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#initialize(request);
    const session = this.#byId.get(id);
    if (session === undefined) return unknownSession();
    // Last in the map is last used.
    this.#byId.delete(id);
    this.#byId.set(id, session);
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    const servers = [...this.#byId.values()].map(({ server }) => server);
    this.#byId.clear();
    await Promise.all(servers.map(async (server) => server.close()));
  }

  /** The transport refuses any other request; then it is closed. */
  async #initialize(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => this.#add(id, { transport, server }),
      onsessionclosed: (id) => void this.#byId.delete(id),
      enableJsonResponse: this.#options.isStreaming !== true,
      maxRequestBodySize: this.#options.maxBodyBytes,
    });
    const server = this.#options.createServer(request);
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
    this.#byId.delete(oldest[0]);
    void oldest[1].server.close();
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
