import { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { callTool, type CallResult } from "../../tools/call.ts";
import type { Profile } from "../../tools/define.ts";
import { needsWholeTree } from "../../tools/registry.ts";
import type { Session } from "../../tools/session.ts";
import type { Log } from "../http/log.ts";
import { jsonBody } from "../http/request-body.ts";
import type { AppOptions } from "./app.ts";
import { clientOf, ClientSessions } from "./client-sessions.ts";
import { CONNECTION_HEADER, ProfileName } from "./contract.ts";

export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly profile: Profile;
  /** Who calls, for the history; the name of the client object when left out. */
  readonly client?: string;
  /** What `search` and `tree` may show; all there is when left out. */
  readonly maxTokens?: number;
  /** It changes nothing, so it may be sent again when the service ended without an answer. */
  readonly isRepeatable?: boolean;
}

const PARTIAL_TREE = {
  type: "text",
  text: "The first scan of the vault is not finished: files are missing here. Call tree again in a moment.",
} as const;

const Refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const MaxTokens = z.coerce.number().int().min(100).max(1_000_000);

/** `POST /api/tools/NAME`: the arguments in, the result out. A tool's refusal is a result; a tool that does not exist is a 404. */
export function toolRoutes(
  options: Pick<AppOptions, "service" | "now" | "onBug"> & { readonly log: Log },
): Hono {
  const app = new Hono();
  const sessions = new ClientSessions();
  app.post("/api/tools/:name", async (c) => {
    const name = c.req.param("name");
    const profile = profileOf(c.req.query("profile"));
    const client = clientOf(c.req.raw);
    const session = sessions.of(client, c.req.header(CONNECTION_HEADER));
    const args = await jsonBody(c.req.raw);
    const call = { name, args, profile, client, maxTokens: maxTokensOf(c.req.raw) };
    const result = await runTool(call, session, options);
    return Response.json({ ...result, structured: result.structured ?? null });
  });
  return app;
}

/** Runs a tool on the vault of this process, and logs the call without its arguments. */
async function runTool(
  call: Omit<ToolCall, "maxTokens"> & { readonly maxTokens: number | undefined },
  session: Session,
  { service, now, onBug, log }: Parameters<typeof toolRoutes>[0],
): Promise<CallResult> {
  const { name, args, profile, client, maxTokens } = call;
  const { vault, index } = service;
  const started = performance.now();
  const bound = maxTokens === undefined ? {} : { mostTokens: maxTokens };
  const common = { vault, index, session, now, ...bound };
  const isWhole = !needsWholeTree(name) || (await service.surveyed());
  const result =
    profile === "search"
      ? await callTool(name, args, { ...common, profile }, { onBug })
      : await callTool(name, args, { ...common, profile, batch: null }, { onBug });
  const ms = Math.round((performance.now() - started) * 10) / 10;
  const error = result.isError ? Refused.safeParse(result.structured).data?.error : undefined;
  const refused = result.isError ? { refused: error?.code ?? true } : {};
  log.info({ tool: name.slice(0, 50), profile, client, ms, ...refused }, "tool");
  if (error?.code === "unknown_tool") throw new ExpectedError("unknown_tool", error.message);
  return isWhole ? result : { ...result, content: [...result.content, PARTIAL_TREE] };
}

function profileOf(text: string | undefined): Profile {
  const profile = ProfileName.default("update").safeParse(text);
  if (profile.success) return profile.data;
  throw new ExpectedError(
    "invalid_argument",
    `There is no profile ${JSON.stringify(text)}. There are: ${ProfileName.options.join(", ")}.`,
  );
}

/** What `search` and `tree` may show, when the URL of a request says so: `?max_tokens=20000`. */
export function maxTokensOf(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("max_tokens");
  if (text === null) return undefined;
  const tokens = MaxTokens.safeParse(text);
  if (tokens.success) return tokens.data;
  throw new ExpectedError(
    "invalid_argument",
    `max_tokens is a number from 100 to 1,000,000, not ${JSON.stringify(text)}.`,
  );
}
