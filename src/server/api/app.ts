import { Hono, type MiddlewareHandler } from "hono";

import type { Memory } from "../../agents/memory.ts";
import type { Service } from "../../compose.ts";
import type { IndexReader } from "../../index/search-index.ts";
import type { CallersVault, LocalVault, Vault } from "../../vault/vault.ts";
import { diskFailure, ExpectedError } from "../../errors.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import { databaseFailure } from "../../storage/sqlite.ts";
import { loggedPath, logRequests, requestId, silentLog, type Log } from "../http/log.ts";
import { bugResponse, problemResponse } from "../http/problem.ts";
import { readerOf } from "../http/reader.ts";
import { addAdoptRoutes } from "./adopt-routes.ts";
import { addRecallRoutes, addUpdateRoutes, type Recaller } from "./agent-routes.ts";
import { addBackupRoutes } from "./backup-routes.ts";
import type { Link } from "./contract.ts";
import type { EventFeed } from "./event-feed.ts";
import { addFileListRoute } from "./file-list-route.ts";
import { addFilingRoutes } from "./filing-routes.ts";
import { addFilterRoutes } from "./filter-routes.ts";
import { addForgetRoutes } from "./forget-routes.ts";
import { addIngestRoutes } from "./ingest-routes.ts";
import { addLinkRoutes } from "./link-routes.ts";
import { addMediaRoute } from "./media-route.ts";
import { addNoteRoutes } from "./note-routes.ts";
import { addPlaceRoutes } from "./place-routes.ts";
import { addTidyRoutes } from "./tidy-routes.ts";
import {
  addToolRoutes,
  createToolCaller,
  type SessionsOfClients,
  type ToolCaller,
} from "./tool-routes.ts";
import { addPrivateRoutes } from "./private-routes.ts";
import { addFileRoutes, addVaultRoutes } from "./vault-routes.ts";
import { addVerifyRoutes } from "./verify-routes.ts";

/** What a caller is given of a vault. */
export interface GivenVault {
  readonly vault: CallersVault;
  readonly index: IndexReader;
}

/** A vault as callers are given it, with its old versions, and what people are shown of where it is and where its state is. */
export type PlacedVault = CallersVault &
  Pick<Vault, "historySize" | "kept"> &
  Pick<LocalVault, "root" | "state">;

/** The part of a service that the app needs. */
export type Served = { readonly vault: PlacedVault } & Pick<
  Service,
  "index" | "rescan" | "settle" | "settled" | "status" | "onDone" | "surveyed"
> &
  // Of a service that owns the vault.
  Partial<Pick<Service, "frontmatter" | "forgetting" | "models" | "privates">>;

/** Whether a vault is a folder of this machine: only of that a backup is made here. */
function isLocal(vault: PlacedVault): vault is LocalVault {
  return "ignore" in vault;
}

export interface AppOptions {
  readonly service: Served;
  readonly version: string;
  readonly now: () => Date;
  /** Called with unexpected errors, and what was asked. */
  readonly onBug: (error: unknown, asked: string) => void;
  readonly log?: Log;
  readonly events?: EventFeed;
  /** MCP servers by the last part of their URL. They are made after the app, which they call. */
  readonly mcp?: ReadonlyMap<string, Pick<Hono, "fetch">>;
  /** Remembering and recalling; without it there are no routes for them. */
  readonly memory?: Memory | null;
  /** Recalling alone, for a process that does not own the vault. */
  readonly recaller?: Recaller;
  /** What clients have read; in the memory of this process when left out. */
  readonly sessions?: SessionsOfClients;
  /** Ingests files; without it none are accepted. */
  readonly ingest?: Ingest;
  /** A link that logs one browser in; null when no browser can reach the service. */
  readonly newLink?: () => Link | null;
  /** Starts to hand the vault over to the process that asks for it; left out by an owner that keeps it. */
  readonly handOver?: () => void;
  /** Whose calls these are, where several people use a vault: in its history their clients stand with this name. */
  readonly person?: string;
  /** What concerns the whole vault is refused: its caller does not own it. */
  readonly isLimited?: boolean;
  /** Called after every call of a tool. */
  readonly onTool?: (tool: CalledTool) => void;
}

/** A tool that was called. */
export interface CalledTool {
  readonly name: string;
  readonly client: string;
  /** Why it was refused; null when it was not. */
  readonly refused: string | null;
}

/** What concerns all of a vault: settings, what is private, and what reads or removes everything. */
const OWNERS_ONLY = /^\/api\/(?:adopt|backup|forget|hand-over|init|link|private|rescan)(?:[/-]|$)/u;

/** An app, with a way to its tools that callers in its process take: `Request` and `Response` cost more than reading a file. */
export type VaultApp = Hono & { readonly callTool: ToolCaller };

/** The service over HTTP, for any transport: a socket of this machine, TCP behind its guards, or calls in this process. */
export function createApp(options: AppOptions): VaultApp {
  const { onBug, log = silentLog, events, memory = null, ingest } = options;
  const app = new Hono();
  app.use(logRequests(log));
  if (options.isLimited === true) app.use(refuseOwnersOnly);
  const forModels = createModelApp(options);
  app.use(async (c, next) =>
    readerOf(c.req.raw) === "model" ? forModels.fetch(c.req.raw, c.env) : next(),
  );
  const callTool = createToolCaller({ ...options, log });
  addToolRoutes(app, callTool);
  addFileRoutes(app, options);
  addVaultRoutes(app, options);
  addFileListRoute(app, options);
  addMediaRoute(app, options);
  addPlaceRoutes(app, options);
  addLinkRoutes(app, options);
  addFilterRoutes(app, options);
  addNoteRoutes(app, options);
  addVerifyRoutes(app, options);
  addOwnerRoutes(app, options);
  const { frontmatter } = options.service;
  if (frontmatter !== undefined) {
    addAdoptRoutes(app, frontmatter, onBug);
    const { vault } = options.service;
    if (isLocal(vault)) addBackupRoutes(app, vault, options.now);
  }
  if (options.service.forgetting !== undefined) {
    addForgetRoutes(app, options.service.forgetting);
  }
  if (options.service.privates !== undefined) {
    addPrivateRoutes(app, options.service.privates, options.service.vault);
  }
  const recaller = memory ?? options.recaller;
  if (recaller !== undefined) addRecallRoutes(app, recaller, onBug);
  if (memory !== null) addUpdateRoutes(app, memory, ingest, onBug);
  if (memory !== null) addFilingRoutes(app, memory, options);
  if (memory !== null) addTidyRoutes(app, memory, options);
  if (ingest !== undefined) addIngestRoutes(app, ingest, onBug);
  if (events !== undefined) {
    app.get("/api/events", (c) => events.stream(c.req.header("last-event-id")));
  }

  app.all("/mcp/:name", async (c) => {
    const server = options.mcp?.get(c.req.param("name"));
    return server === undefined ? c.notFound() : server.fetch(c.req.raw);
  });

  addRefusals(app, onBug);
  return Object.assign(app, { callTool });
}

const refuseOwnersOnly: MiddlewareHandler = async (c, next) => {
  if (!OWNERS_ONLY.test(c.req.path)) return next();
  throw new ExpectedError("no_permission", "Only an owner of the vault may do that.");
};

function addRefusals(app: Hono, onBug: AppOptions["onBug"]): void {
  app.notFound((c) =>
    problemResponse({
      code: "not_found",
      message: `There is no ${c.req.method} ${c.req.path} here.`,
    }),
  );

  app.onError((error, c) => {
    const expected =
      error instanceof ExpectedError ? error : (databaseFailure(error) ?? diskFailure(error));
    if (expected !== null) return problemResponse(expected);
    onBug(error, `${c.req.method} ${loggedPath(c.req.path)} (request ${requestId(c.req.raw)})`);
    return bugResponse();
  });
}

/**
 * The same for those who read for a model: what an MCP server needs, on the vault as a model may see it, and nothing else. A process that
 * cannot keep anything from them has no route for them.
 */
function createModelApp(options: AppOptions): Hono {
  const { service, events, memory = null, ingest, onBug, log = silentLog } = options;
  const app = new Hono();
  const { models } = service;
  addRefusals(app, onBug);
  app.get("/api/alive", (c) => c.body(null, 204));
  if (models === undefined) return app;
  const surveyed = async (): Promise<boolean> => service.surveyed();
  const given = { ...options, service: { ...seenBy(models), surveyed } };
  addToolRoutes(app, createToolCaller({ ...options, service, log }));
  addFileRoutes(app, given);
  const feed = events?.forModels({ onDone: (listener) => models.onDone(listener) });
  addFileListRoute(app, { ...given, events: feed });
  addVerifyRoutes(app, given);
  if (memory !== null) {
    const own = memory.forModels();
    addRecallRoutes(app, own, onBug);
    addUpdateRoutes(app, own, ingest, onBug);
    addFilingRoutes(app, own, given);
  }
  if (feed !== undefined) app.get("/api/events", (c) => feed.stream(c.req.header("last-event-id")));
  return app;
}

function seenBy({ vault, index }: GivenVault): GivenVault {
  return { vault, index };
}

/** For other processes of ours: whether it runs, how it is, and who owns the vault. */
function addOwnerRoutes(app: Hono, { service, version, newLink, handOver }: AppOptions): void {
  app.get("/api/alive", (c) => c.body(null, 204));

  app.get("/api/status", async (c) => c.json({ ...(await service.status()), version }));

  app.post("/api/rescan", async (c) => c.json(await service.rescan()));

  app.post("/api/settle", async (c) => {
    await (c.req.query("all") === "true" ? service.settled() : service.settle());
    return c.body(null, 204);
  });

  app.post("/api/link", (c) => {
    const link = newLink?.() ?? null;
    if (link !== null) return c.json(link);
    throw new ExpectedError(
      "unavailable",
      "No page is served now: the vault is kept by a process that answers one AI client. Start the page: coffre serve.",
    );
  });

  app.post("/api/hand-over", (c) => {
    if (handOver === undefined) {
      throw new ExpectedError(
        "busy",
        `A service of the vault ${service.vault.root} is running already, with pid ${process.pid}. Other commands use it by themselves; to run another, stop that one first.`,
      );
    }
    handOver();
    return c.body(null, 202);
  });
}
