import { Hono, type Context } from "hono";
import { z } from "zod";

import type { Memory } from "../../agents/memory.ts";
import type { Service } from "../../compose.ts";
import type { Ingest } from "../../ingest/ingest.ts";
import type { Profile } from "../../tools/define.ts";
import { ExpectedError } from "../../errors.ts";
import { parsePath } from "../../vault/paths.ts";
import { createAgentRoutes } from "./agent-routes.ts";
import { ClientSessions } from "./client-sessions.ts";
import {
  ChangedBody,
  CLIENT_HEADER,
  CONNECTION_HEADER,
  ProfileName,
  type Link,
  type Status,
} from "./contract.ts";
import type { EventFeed } from "./event-feed.ts";
import { ingestRoutes } from "./ingest-routes.ts";
import { logRequests } from "../http/log-requests.ts";
import { silentLog, type Log } from "../http/log.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { mostTokensOf } from "./most-tokens.ts";
import { bugResponse, problemResponse } from "../http/problem.ts";
import { jsonBody } from "../http/request-body.ts";
import { requestId, withRequestId } from "../http/request-id.ts";
import { toolCalls } from "./tool-calls.ts";
import { unknownTool } from "./unknown-tool.ts";
import { vaultRoutes } from "./vault-routes.ts";

/** What of the service is put within reach. */
export type Served = Pick<
  Service,
  "vault" | "index" | "changed" | "rescan" | "status" | "onDone" | "surveyed"
>;

export interface AppOptions {
  readonly service: Served;
  readonly version: string;
  readonly now: () => Date;
  /** Hears of errors nobody expected, with their stack, and of what was asked. */
  readonly onBug: (error: unknown, asked: string) => void;
  readonly log?: Log;
  /** What happens in the vault, for those who want to hear of it. */
  readonly events?: EventFeed;
  readonly mcp?: McpServers;
  /** Remembering and recalling; without it there are no routes for them. */
  readonly memory?: Memory | null;
  /** Takes files in; without it none are taken. */
  readonly ingest?: Ingest;
  /** A link that lets one browser in; null when no browser can reach the service. */
  readonly newLink?: () => Link | null;
  /** Begins to leave the vault to the process that asks for it; left out by an owner that keeps it. */
  readonly handOver?: () => void;
}

/** Of callers that do not say who they are: all of them are one client. */
const NAMELESS = "http";
const LONGEST_NAME = 200;

/** The service over HTTP, whatever carries it: a socket of this machine, or TCP with its guards before it. */
export function createApp(options: AppOptions): Hono {
  const {
    service,
    version,
    onBug,
    events,
    mcp,
    memory = null,
    newLink,
    handOver,
    ingest,
  } = options;
  const { vault } = service;
  const call = toolCalls(options);
  const sessions = new ClientSessions();
  const app = new Hono();
  app.use(withRequestId, logRequests(options.log ?? silentLog));

  app.get("/api/alive", (c) => c.body(null, 204));

  app.get("/api/status", async (c) => {
    const status: Status = { ...(await service.status()), version };
    return c.json(status);
  });

  app.post("/api/tools/:name", async (c) => {
    const name = c.req.param("name");
    const profile = profileOf(c.req.query("profile"));
    const client = clientName(c.req.header(CLIENT_HEADER));
    const session = sessions.of(client, c.req.header(CONNECTION_HEADER));
    const args = await jsonBody(c.req.raw);
    const mostTokens = mostTokensOf(c.req.raw);
    const bound = mostTokens === undefined ? {} : { mostTokens };
    const result = await call({ name, args, profile, client, ...bound }, session);
    const unknown = unknownTool(result);
    if (unknown !== null) throw new ExpectedError("unknown_tool", unknown);
    return Response.json({ ...result, structured: result.structured ?? null });
  });

  app.route("/", vaultRoutes(service));

  app.post("/api/changed", async (c) => {
    const body = ChangedBody.safeParse(await jsonBody(c.req.raw));
    if (!body.success) {
      throw new ExpectedError(
        "invalid_argument",
        `Send {"paths": ["vault/…", …]}: ${z.prettifyError(body.error)}`,
      );
    }
    await service.changed(body.data.paths.map((text) => parsePath(text).path));
    return c.body(null, 204);
  });

  app.post("/api/rescan", async (c) => c.json(await service.rescan()));

  if (events !== undefined) {
    app.get("/api/events", (c) => events.stream(c.req.header("last-event-id")));
  }

  if (mcp !== undefined) {
    for (const [name, server] of mcp) {
      app.all(`/mcp/${name}`, async (c) => server.fetch(c.req.raw));
    }
  }

  if (memory !== null) {
    const clientOf = ({ headers }: Request): string =>
      clientName(headers.get(CLIENT_HEADER) ?? undefined);
    app.route("/", createAgentRoutes({ memory, clientOf, onBug }));
  }

  if (ingest !== undefined) {
    const clientOf = (c: Context): string => clientName(c.req.header(CLIENT_HEADER));
    app.route("/", ingestRoutes({ ingest, state: vault.state, clientOf }));
  }

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
        `A service of the vault ${vault.root} is running already, with pid ${process.pid}. Other commands use it by themselves; to run another, stop that one first.`,
      );
    }
    handOver();
    return c.body(null, 202);
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

  return app;
}

function profileOf(text: string | undefined): Profile {
  const profile = ProfileName.default("update").safeParse(text);
  if (profile.success) return profile.data;
  throw new ExpectedError(
    "invalid_argument",
    `There is no profile ${JSON.stringify(text)}. There are: ${ProfileName.options.join(", ")}.`,
  );
}

/** Headers carry no accents, so a client encodes its name; one that does not need to may leave it plain. */
function clientName(header: string | undefined): string {
  if (header === undefined || header === "") return NAMELESS;
  const name = decoded(header);
  if (name.length <= LONGEST_NAME) return name;
  throw new ExpectedError(
    "invalid_argument",
    `The name in ${CLIENT_HEADER} has ${name.length} characters; at most ${LONGEST_NAME} are accepted.`,
  );
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
