import type { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { callTool, toolNamed } from "../../tools/call.ts";
import { errorOf, type CallResult } from "../../tools/call-result.ts";
import type { Profile, Tool } from "../../tools/define.ts";
import { profileTools } from "../../tools/registry.ts";
import { createSession, type Session } from "../../tools/session.ts";
import type { ClientPreviews } from "../../agents/preview/client-previews.ts";
import type { CallersVault } from "../../vault/vault.ts";
import { boundedTo } from "../../index/write-bounds.ts";
import { elapsed, type Log } from "../http/log.ts";
import { checked, checkedName, clientOf, CONNECTION_HEADER, jsonBody } from "../http/request.ts";
import { readerOf, type Reader } from "../http/reader.ts";
import type { AppOptions, GivenVault, Served } from "./app.ts";

const PARTIAL_TREE = {
  type: "text",
  text: "The first scan of the vault is not finished: files are missing here. Call tree again in a moment.",
} as const;

const ProfileName = z.enum(["update", "search"]);
const Part = z.enum(["content", "structured"]).optional();
const Preview = z.array(z.enum(["true", "1"]));
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
  /** Globs of what it may change; everything when left out. */
  readonly writes?: readonly string[] | undefined;
  /** For whom it reads; for a person when left out. */
  readonly reader?: Reader | undefined;
  /** What it changes is only tried, and waits for the person's yes. */
  readonly preview?: boolean | undefined;
}

/** Runs a tool on the vault of this process, and logs the call without its arguments. Throws `unknown_tool`; a tool's refusal is a result. */
export type ToolCaller = (request: ToolRequest) => Promise<CallResult>;

export function createToolCaller({
  service,
  now,
  onBug,
  log,
  memory,
  sessions = new ClientSessions(),
  onTool,
}: Pick<AppOptions, "now" | "onBug" | "memory" | "sessions" | "onTool"> & {
  readonly service: GivenVault & Pick<Served, "surveyed" | "models">;
  readonly log: Log;
}): ToolCaller {
  return async (request) => {
    const { name, args, profile, client, connection, mostTokens, writes, reader } = request;
    const { needsWholeTree = false, effect } = toolNamed<Tool>(profileTools[profile], name);
    const started = performance.now();
    const given = givenTo(reader, service);
    const session = sessions.of(checkedName(client), connection);
    const bound = mostTokens === undefined ? {} : { mostTokens };
    const guarded = writes === undefined ? {} : { guard: boundedTo(writes) };
    const isWhole = !needsWholeTree || (await service.surveyed());
    const call = async (vault: CallersVault): Promise<CallResult> => {
      const common = { vault, index: given.index, session, now, ...bound };
      return profile === "search"
        ? callTool(name, args, { ...common, profile }, { onBug })
        : callTool(name, args, { ...common, ...guarded, profile, batch: null }, { onBug });
    };
    const result =
      request.preview === true
        ? await inPreview(request, effect, given.vault, previewsOf(memory), call)
        : await call(given.vault);
    const code = result.isError ? (errorOf(result)?.code ?? "unavailable") : null;
    onTool?.({ name, client, refused: code });
    const refused = result.isError ? { refused: errorOf(result)?.code ?? true } : {};
    log.info({ tool: name, profile, client, ms: elapsed(started), ...refused }, "tool");
    const content = isWhole ? result.content : [...result.content, PARTIAL_TREE];
    return { ...result, content, structured: result.structured ?? null };
  };
}

/** Tries a call on what its client proposed before. The answer to a change says that it is none yet. */
async function inPreview(
  { client: name, connection = name }: ToolRequest,
  effect: Tool["effect"],
  vault: CallersVault,
  previews: Pick<ClientPreviews, "read" | "change">,
  call: (vault: CallersVault) => Promise<CallResult>,
): Promise<CallResult> {
  const client = { name, connection };
  if (effect === "read") return previews.read(client, async (own) => call(own ?? vault));
  const { value, id } = await previews.change(client, call);
  if (value.isError || id === null) return value;
  const text = `Nothing is changed yet: it waits for the person's yes, with all you propose, as ${id}.`;
  return { ...value, content: [...value.content, { type: "text", text }] };
}

function previewsOf(memory: AppOptions["memory"]): Pick<ClientPreviews, "read" | "change"> {
  const previews = memory?.previews.clients;
  if (previews !== undefined) return previews;
  throw new ExpectedError("unavailable", "No changes can be proposed here.");
}

/** The vault as a caller may see it. Throws when a model asks a process that cannot keep anything from it. */
function givenTo(
  reader: Reader | undefined,
  service: GivenVault & Pick<Served, "models">,
): GivenVault {
  if (reader !== "model") return service;
  if (service.models !== undefined) return service.models;
  throw new ExpectedError("unavailable", "No model is answered here.");
}

/**
 * `POST /api/tools/NAME`: the arguments in, the result out. A tool that does not exist is a 404. With `?answer=content` or `structured`
 * only that part is sent, since both hold the same text; a failure is sent whole.
 */
export function addToolRoutes(app: Hono, call: ToolCaller): void {
  app.post("/api/tools/:name", async (c) => {
    const { raw } = c.req;
    const named = c.req.query("profile") ?? "update";
    const profile = checked(ProfileName, named, `There is no profile ${JSON.stringify(named)}`);
    const name = c.req.param("name");
    // Before the body is read: it may be large.
    toolNamed<Tool>(profileTools[profile], name);
    const [client, connection] = [clientOf(raw), c.req.header(CONNECTION_HEADER)];
    const mostTokens = maxTokensOf(raw);
    const writes = writesOf(raw);
    const reader = readerOf(raw);
    const part = checked(Part, c.req.query("answer"), "answer is content or structured");
    const args = await jsonBody(raw);
    const preview = isPreviewIn(raw);
    const asked = { name, args, profile, client, connection, mostTokens, writes, reader, preview };
    const result = await call(asked);
    if (part === undefined || result.isError) return Response.json(result);
    return Response.json({ content: [], structured: null, isError: false, [part]: result[part] });
  });
}

/** What `search` and `tree` may show, when the URL of a request says so: `?max_tokens=20000`, as it does for a model. */
export function maxTokensOf(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("max_tokens");
  return checked(Bound, text ?? undefined, "max_tokens is a number from 100 to 1,000,000");
}

/** What a caller may change, when the URL of a request says so: `?write=projects/x/**`, several times for several places. */
export function writesOf(request: Request): string[] | undefined {
  const globs = new URL(request.url).searchParams.getAll("write");
  // A wrong one is refused before anything is called.
  if (globs.length > 0) boundedTo(globs);
  return globs.length === 0 ? undefined : globs;
}

/** Whether the URL of a request says that its changes wait for a yes: `?preview=true`. Throws for a value that could be meant so, and is not known. */
export function isPreviewIn(request: Request): boolean {
  const given = new URL(request.url).searchParams.getAll("preview");
  return checked(Preview, given, "preview is true or 1").length > 0;
}

/** When more clients came since, a client has to read again before it edits: that costs a call, and loses nothing. */
const MAX_SESSIONS = 1000;

/** What each client has read: one session for each name, or for each of its connections. */
export interface SessionsOfClients {
  of(name: string, connection?: string): Session;
}

/** The sessions of clients over HTTP: one for each name, or for each of its connections. The least recently used is dropped. */
export class ClientSessions implements SessionsOfClients {
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
