import { randomUUID } from "node:crypto";

import {
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from "@modelcontextprotocol/server";

/** A client that was silent while so many others came has to begin anew, which clients do by themselves. */
const MOST_SESSIONS = 500;

interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
}

export interface McpSessionsOptions {
  /** Makes the server of a client that has just greeted with this request. */
  readonly createServer: (request: Request) => McpServer;
  readonly largestBody: number;
  /** Answers come as a stream, on which a client hears how far they are. */
  readonly isStreaming?: boolean;
  readonly mostSessions?: number;
}

/**
 * Clients over HTTP that speak a protocol before 2026: they greet once, and are known by a session from then on. A server for each keeps what
 * one has read apart from what another has.
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
    if (id === null) return this.#greet(request);
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

  /** Whatever is no greeting is refused by the transport, which is then of no use. */
  async #greet(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => this.#add(id, { transport, server }),
      onsessionclosed: (id) => void this.#byId.delete(id),
      enableJsonResponse: this.#options.isStreaming !== true,
      maxRequestBodySize: this.#options.largestBody,
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
    if (oldest === undefined || this.#byId.size <= (this.#options.mostSessions ?? MOST_SESSIONS)) {
      return;
    }
    this.#byId.delete(oldest[0]);
    void oldest[1].server.close();
  }
}

/** Clients begin anew when they are answered so. */
function unknownSession(): Response {
  return Response.json(
    {
      jsonrpc: "2.0",
      error: { code: -32_001, message: "This session is not known here: initialize anew." },
      id: null,
    },
    { status: 404 },
  );
}
