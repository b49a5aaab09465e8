import { Hono } from "hono";

import type { Memory } from "../../agents/memory.ts";
import type { Service } from "../../compose.ts";
import { ExpectedError } from "../../errors.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import { logRequests, requestId, silentLog, withRequestId, type Log } from "../http/log.ts";
import { bugResponse, problemResponse } from "../http/problem.ts";
import { recallRoutes, updateRoutes, type Recaller } from "./agent-routes.ts";
import type { Link } from "./contract.ts";
import type { EventFeed } from "./event-feed.ts";
import { ingestRoutes } from "./ingest-routes.ts";
import { createToolCaller, toolRoutes, type ToolCaller } from "./tool-routes.ts";
import { vaultRoutes } from "./vault-routes.ts";

/** The part of a service that the app needs. */
export type Served = Pick<
  Service,
  "vault" | "index" | "rescan" | "settle" | "settled" | "status" | "onDone" | "surveyed"
>;

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
  /** Ingests files; without it none are accepted. */
  readonly ingest?: Ingest;
  /** A link that logs one browser in; null when no browser can reach the service. */
  readonly newLink?: () => Link | null;
  /** Starts to hand the vault over to the process that asks for it; left out by an owner that keeps it. */
  readonly handOver?: () => void;
}

/** An app, with a way to its tools that callers in its process take: `Request` and `Response` cost more than reading a file. */
export type VaultApp = Hono & { readonly callTool: ToolCaller };

/** The service over HTTP, for any transport: a socket of this machine, TCP behind its guards, or calls in this process. */
export function createApp(options: AppOptions): VaultApp {
  const { onBug, log = silentLog, events, memory = null, ingest } = options;
  const app = new Hono();
  app.use(withRequestId, logRequests(log));
  const callTool = createToolCaller({ ...options, log });
  app.route("/", toolRoutes(callTool));
  app.route("/", vaultRoutes(options));
  app.route("/", ownerRoutes(options));
  const recaller = memory ?? options.recaller;
  if (recaller !== undefined) app.route("/", recallRoutes(recaller, onBug));
  if (memory !== null) app.route("/", updateRoutes(memory, ingest, onBug));
  if (ingest !== undefined) app.route("/", ingestRoutes({ ingest, onBug }));
  if (events !== undefined) {
    app.get("/api/events", (c) => events.stream(c.req.header("last-event-id")));
  }

  app.all("/mcp/:name", async (c) => {
    const server = options.mcp?.get(c.req.param("name"));
    return server === undefined ? c.notFound() : server.fetch(c.req.raw);
  });

  app.notFound((c) =>
    problemResponse({
      code: "not_found",
      message: `There is no ${c.req.method} ${c.req.path} here.`,
    }),
  );

  app.onError((error, c) => {
    if (error instanceof ExpectedError) return problemResponse(error);
    onBug(error, `${c.req.method} ${c.req.path} (request ${requestId(c.req.raw)})`);
    return bugResponse();
  });

  return Object.assign(app, { callTool });
}

/** For other processes of ours: whether it runs, how it is, and who owns the vault. */
function ownerRoutes({ service, version, newLink, handOver }: AppOptions): Hono {
  const app = new Hono();

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

  return app;
}
