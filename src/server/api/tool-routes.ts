import { Hono } from "hono";
import { z } from "zod";

import { callTool, errorOf, toolNamed, type CallResult } from "../../tools/call.ts";
import type { Profile, Tool } from "../../tools/define.ts";
import { profileTools } from "../../tools/registry.ts";
import { createSession, type Session } from "../../tools/session.ts";
import { elapsed, type Log } from "../http/log.ts";
import { checked, checkedName, clientOf, CONNECTION_HEADER, jsonBody } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import { ProfileName } from "./contract.ts";

const PARTIAL_TREE = {
  type: "text",
  text: "The first scan of the vault is not finished: files are missing here. Call tree again in a moment.",
} as const;

const Bound = z.coerce.number().int().min(100).max(1_000_000).optional();

/** A call of one of the nine tools. */
export interface ToolRequest {
  readonly name: string;
  readonly args: unknown;
  readonly profile: Profile;
  /** Who calls, for the history. */
  readonly client: string;
  /** Tells apart clients of one name: what one has read does not count for the other. */
  readonly connection: string | undefined;
  /** What `search` and `tree` may show. */
  readonly mostTokens: number | undefined;
}

/** Runs a tool on the vault of this process, and logs the call without its arguments. Throws `unknown_tool`; a tool's refusal is a result. */
export type ToolCaller = (request: ToolRequest) => Promise<CallResult>;

export function createToolCaller({
  service,
  now,
  onBug,
  log,
}: Pick<AppOptions, "service" | "now" | "onBug"> & { readonly log: Log }): ToolCaller {
  const sessions = new ClientSessions();
  return async ({ name, args, profile, client, connection, mostTokens }) => {
    const { needsWholeTree = false } = toolNamed<Tool>(profileTools[profile], name);
    const started = performance.now();
    const { vault, index } = service;
    const session = sessions.of(checkedName(client), connection);
    const bound = mostTokens === undefined ? {} : { mostTokens };
    const common = { vault, index, session, now, ...bound };
    const isWhole = !needsWholeTree || (await service.surveyed());
    const result =
      profile === "search"
        ? await callTool(name, args, { ...common, profile }, { onBug })
        : await callTool(name, args, { ...common, profile, batch: null }, { onBug });
    const refused = result.isError ? { refused: errorOf(result)?.code ?? true } : {};
    log.info({ tool: name, profile, client, ms: elapsed(started), ...refused }, "tool");
    const content = isWhole ? result.content : [...result.content, PARTIAL_TREE];
    return { ...result, content, structured: result.structured ?? null };
  };
}

/** `POST /api/tools/NAME`: the arguments in, the result out. A tool that does not exist is a 404. */
export function toolRoutes(call: ToolCaller): Hono {
  const app = new Hono();
  app.post("/api/tools/:name", async (c) => {
    const { raw } = c.req;
    const named = c.req.query("profile") ?? "update";
    const profile = checked(ProfileName, named, `There is no profile ${JSON.stringify(named)}`);
    const name = c.req.param("name");
    // Before the body is read: it may be large.
    toolNamed<Tool>(profileTools[profile], name);
    const [client, connection] = [clientOf(raw), c.req.header(CONNECTION_HEADER)];
    const mostTokens = maxTokensOf(raw);
    const args = await jsonBody(raw);
    return Response.json(await call({ name, args, profile, client, connection, mostTokens }));
  });
  return app;
}

/** What `search` and `tree` may show, when the URL of a request says so: `?max_tokens=20000`. */
export function maxTokensOf(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("max_tokens");
  return checked(Bound, text ?? undefined, "max_tokens is a number from 100 to 1,000,000");
}

/** When more clients came since, a client has to read again before it edits: that costs a call, and loses nothing. */
const MAX_SESSIONS = 1000;

/** The sessions of clients over HTTP: one for each name, or for each of its connections. The least recently used is dropped. */
export class ClientSessions {
  readonly #byClient = new Map<string, Session>();
  readonly #max: number;

  constructor(max = MAX_SESSIONS) {
    this.#max = max;
  }

  of(name: string, connection = ""): Session {
    const client = JSON.stringify([name, connection]);
    const session = this.#byClient.get(client) ?? createSession(name);
    this.#byClient.delete(client);
    this.#byClient.set(client, session);
    const oldest = this.#byClient.keys().next();
    if (this.#byClient.size > this.#max && !oldest.done) this.#byClient.delete(oldest.value);
    return session;
  }
}
