import type { Hono } from "hono";

import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { TeamService } from "../../team/team-service.ts";
import { PostgresLedger } from "../../team/postgres-ledger.ts";
import type { VaultRow } from "../../vault/postgres/vault-row.ts";
import { createApp, type AppOptions } from "../api/app.ts";
import { EventFeed } from "../api/event-feed.ts";
import type { SessionsOfClients } from "../api/tool-routes.ts";
import { createMcpServers, type McpHttp } from "../mcp/mcp-http.ts";
import { mcpSessionRows } from "./mcp-session-rows.ts";

export interface ServedVaultOptions extends Pick<AppOptions, "version" | "now" | "onBug" | "log"> {
  readonly database: Postgres;
  readonly row: VaultRow;
  readonly service: TeamService;
}

/** One vault over HTTP and MCP, as any replica serves it. */
export class ServedVault {
  readonly service: TeamService;
  readonly #app: Hono;
  readonly #events: EventFeed;
  readonly #mcp: ReadonlyMap<string, McpHttp>;

  constructor({ database, row, service, ...common }: ServedVaultOptions) {
    this.service = service;
    // All callers see all of it: a list that one replica gave is brought up to date by any other.
    const shared = { view: "all", last: service.lastEvent };
    this.#events = new EventFeed({ service, shared });
    const served = { ...common, service, memory: service.memory };
    const mcp = new Map<string, McpHttp>();
    const app = createApp({
      ...served,
      mcp,
      events: this.#events,
      ingest: service.ingest,
      sessions: sharedSessions(database, row.id),
    });
    const storeOf = (profile: string) => mcpSessionRows(database, row.id, profile);
    for (const [name, server] of createMcpServers(app, { ...served, storeOf }))
      mcp.set(name, server);
    this.#app = app;
    this.#mcp = mcp;
  }

  /** Pages that follow what happens in it. */
  get listeners(): number {
    return this.#events.listeners;
  }

  async fetch(request: Request, env: object): Promise<Response> {
    return this.#app.fetch(request, env);
  }

  async close(): Promise<void> {
    for (const server of this.#mcp.values()) await server.close();
    this.#events.close();
    await this.service.close();
  }
}

/** What each client has read, whichever replica it asked. */
function sharedSessions(database: Postgres, vault: number): SessionsOfClients {
  return {
    of: (name, connection = "") => ({
      actor: name,
      ledger: new PostgresLedger(database, vault, JSON.stringify([name, connection])),
    }),
  };
}
