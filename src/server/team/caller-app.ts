import { ProblemAnswer } from "../http/tool-contract.ts";
import type { VaultApp } from "../api/app.ts";
import { CLIENT_HEADER, clientOf } from "../http/request.ts";
import type { CallAudit } from "../../team/audit/call-audit.ts";

/** Of a name, for the history. */
const MOST_NAME = 90;
/** They are no calls of anybody: health checks, and what an MCP server follows by itself. */
const UNRECORDED = new Set(["/api/alive", "/api/events"]);
/** What comes after is an id, or the first words of a note. */
const NAMED = /^(\/api\/(?:tools\/[a-z_]{1,40}|[a-z-]{1,40}))(\/.*)?$/u;
const MCP = /^\/mcp\//u;

/** How an app is asked from within its process, and from outside. */
export type AskedApp = Pick<VaultApp, "callTool"> & {
  fetch(request: Request, env?: object): Promise<Response>;
};

export interface CallerAppOptions {
  readonly app: VaultApp;
  readonly audit: CallAudit;
  /** How the history names them; null for whoever runs the service, whose clients stand for themselves. */
  readonly person: string | null;
}

/** The app of a vault for one caller: what they do is recorded, and in the history their clients stand with their name. */
export function callerApp({ app, audit, person }: CallerAppOptions): AskedApp {
  const nameOf = (client: string): string => {
    if (person === null) return client;
    return `${person} (${shortName(client)})`;
  };
  const named = (request: Request, unnamed: string): Request => {
    if (person === null) return request;
    const headers = new Headers(request.headers);
    headers.set(CLIENT_HEADER, encodeURIComponent(nameOf(clientOf(request, unnamed))));
    return new Request(request, { headers });
  };
  return {
    callTool: async (request) => {
      const client = nameOf(request.client);
      return audit.call(
        { name: request.name, client },
        async () => app.callTool({ ...request, client }),
        async () => "done",
      );
    },
    fetch: async (request, env) => {
      const { pathname } = new URL(request.url);
      // What a server of ours asks for its client is recorded, and not that it was asked.
      if (MCP.test(pathname)) return app.fetch(request, env);
      const own = named(request, isPage(env) ? "page" : "http");
      const answer = async (): Promise<Response> => app.fetch(own, env);
      const isOwn = env !== undefined || !UNRECORDED.has(pathname);
      if (!isOwn || pathname === "/api/alive") return answer();
      const name = callName(request.method, pathname);
      return audit.call({ name, client: clientOf(own) }, answer, outcomeOf);
    },
  };
}

/** A name as the history has it: those of a person and of their client together are not too long. */
export function shortName(name: string): string {
  return name.slice(0, MOST_NAME).toWellFormed();
}

function isPage(env: object | undefined): boolean {
  return env !== undefined && "voice" in env && env.voice === "person";
}

/** A call as the audit names it: a tool by its name, anything else by its address without what may be text of a note. */
function callName(method: string, path: string): string {
  const [, known, rest] = NAMED.exec(path) ?? [];
  if (known === undefined) return method;
  const tool = known.startsWith("/api/tools/") ? known.slice("/api/tools/".length) : null;
  return tool ?? `${method} ${known}${rest === undefined ? "" : "/…"}`;
}

/** `done`, or the code of the refusal. */
async function outcomeOf(response: Response): Promise<string> {
  if (response.status < 400) return "done";
  const problem = ProblemAnswer.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  );
  return problem.data?.code ?? String(response.status);
}
