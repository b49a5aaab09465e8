import type { CallerService } from "../../team/caller-service.ts";
import { asRequest, type RequestFrom } from "../../team/audit/call-audit.ts";
import { PostgresLedger } from "../../team/postgres-ledger.ts";
import type { TeamService, VaultCaller } from "../../team/team-service.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { VaultRow } from "../../vault/postgres/vault-row.ts";
import { createApp, type AppOptions } from "../api/app.ts";
import { EventFeed } from "../api/event-feed.ts";
import type { SessionsOfClients } from "../api/tool-routes.ts";
import type { QuestionSeal } from "../mcp/elicitation.ts";
import { createMcpServers, type McpHttp } from "../mcp/mcp-http.ts";
import { callerApp, shortName, type AskedApp } from "./caller-app.ts";
import { guardedStream, isStream } from "./guarded-stream.ts";
import { mcpSessionRows } from "./mcp-session-rows.ts";

/** Callers whose app is kept while they ask for nothing. */
const MOST_IDLE = 32;
/** Milliseconds without a request after which the app of a caller is closed. */
const MAX_IDLE = 10 * 60_000;

export interface ServedVaultOptions extends Pick<AppOptions, "version" | "now" | "onBug" | "log"> {
  /** The same on every replica, since an answer may reach another one than asked. */
  readonly seal?: QuestionSeal;
  readonly database: Postgres;
  readonly row: VaultRow;
  readonly service: TeamService;
}

/** Who asks, from where, and whether they still may have what a stream brings. */
export interface AskedBy extends VaultCaller {
  readonly from: RequestFrom;
  readonly mayRead: () => Promise<boolean>;
}

/** What one caller is answered with. */
interface CallersApp {
  readonly service: CallerService;
  readonly app: AskedApp;
  readonly events: EventFeed;
  readonly mcp: ReadonlyMap<string, McpHttp>;
  /** Requests that are answered, and streams that are open. */
  uses: number;
  lastUsed: number;
}

/**
 * One vault over HTTP and MCP, as any replica serves it. Each set of rights of each person has an app of its own, made as that of one person's
 * vault is, on what they may use: no route and no tool asks for rights.
 */
export class ServedVault {
  readonly service: TeamService;
  readonly #options: ServedVaultOptions;
  /** The least recently used first. */
  readonly #apps = new Map<string, CallersApp>();
  #streams = 0;

  constructor(options: ServedVaultOptions) {
    this.service = options.service;
    this.#options = options;
  }

  /** Pages and clients that follow what happens in it. */
  get listeners(): number {
    return this.#streams;
  }

  /** How many apps are open. */
  get size(): number {
    return this.#apps.size;
  }

  async fetch(request: Request, env: object, by: AskedBy): Promise<Response> {
    const own = this.#appOf(by);
    own.uses += 1;
    this.#closeMost();
    const release = (): void => {
      own.uses -= 1;
      own.lastUsed = performance.now();
    };
    let isStreaming = false;
    try {
      const response = await asRequest(by.from, async () => own.app.fetch(request, env));
      if (!isStream(response)) return response;
      isStreaming = true;
      this.#streams += 1;
      const onEnd = (): void => {
        this.#streams -= 1;
        release();
      };
      return guardedStream(response, { mayRead: by.mayRead, onEnd });
    } finally {
      if (!isStreaming) release();
    }
  }

  /** Closes what belongs to callers who asked for nothing for long. */
  async closeIdle(maxIdle = MAX_IDLE): Promise<void> {
    const since = performance.now() - maxIdle;
    for (const [key, own] of this.#apps)
      if (own.uses === 0 && own.lastUsed <= since) await this.#close(key, own);
  }

  async close(): Promise<void> {
    for (const [key, own] of this.#apps) await this.#close(key, own);
    await this.service.close();
  }

  #appOf(caller: AskedBy): CallersApp {
    const { person, rights } = caller;
    const key = JSON.stringify([person?.id, person?.name, rights.key]);
    const own = this.#apps.get(key) ?? this.#open(caller);
    this.#apps.delete(key);
    this.#apps.set(key, own);
    return own;
  }

  #closeMost(): void {
    for (const [key, own] of this.#apps) {
      if (this.#apps.size <= MOST_IDLE) return;
      if (own.uses === 0)
        this.#close(key, own).catch((error: unknown) => this.#options.onBug(error, "closing"));
    }
  }

  #open(caller: VaultCaller): CallersApp {
    const { database, row, service: whole, ...common } = this.#options;
    const service = whole.forCaller(caller);
    const { person } = caller;
    const { memory, audit } = service;
    // A list that one replica gave is brought up to date by any other. Not for those who do not see all: its number counts every change.
    const shared = { view: "all", last: whole.lastEvent };
    const events = new EventFeed({
      service,
      countsOnlyFor: "listeners",
      ...(caller.rights.seesAll ? { shared } : {}),
    });
    const mcp = new Map<string, McpHttp>();
    const app = callerApp({
      app: createApp({
        ...common,
        service,
        memory,
        mcp,
        events,
        ingest: service.ingest,
        sessions: sharedSessions(database, row.id, person?.id ?? null),
        isLimited: service.isLimited,
        ...(person === null ? {} : { person: shortName(person.name) }),
        onTool: ({ refused }) => {
          if (refused !== null) audit.refused(refused);
        },
      }),
      audit,
      person: person === null ? null : shortName(person.name),
    });
    const storeOf = (profile: string) =>
      mcpSessionRows(database, row.id, profile, person?.id ?? null);
    for (const [name, server] of createMcpServers(app, { ...common, memory, storeOf }))
      mcp.set(name, server);
    return { service, app, events, mcp, uses: 0, lastUsed: performance.now() };
  }

  async #close(key: string, { mcp, events, service }: CallersApp): Promise<void> {
    this.#apps.delete(key);
    for (const server of mcp.values()) await server.close();
    events.close();
    service.close();
  }
}

/** What each client has read, whichever replica it asked: the client of another person by the same name has read nothing of it. */
function sharedSessions(
  database: Postgres,
  vault: number,
  person: string | null,
): SessionsOfClients {
  const whose = person === null ? [] : [person];
  return {
    of: (name, connection = "") => ({
      actor: name,
      ledger: new PostgresLedger(database, vault, JSON.stringify([name, connection, ...whose])),
    }),
  };
}
