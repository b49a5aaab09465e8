import type { IncomingMessage } from "node:http";

import { z } from "zod";

import type { HttpDoor } from "../soak/http-door.ts";
import type { Input } from "./input.ts";
import { wrongText } from "./wrong-text.ts";

/** Milliseconds: a stream that begins is an answer. */
const STREAM = 1000;
const HUNG = 30_000;
const MODERN = "2026-07-28";

const Method = z.object({ method: z.string(), params: z.unknown().optional() });
const Named = z.object({ name: z.string() });

/** MCP over HTTP: bodies of any kind, within sessions where the protocol has them. */
export class McpDoor {
  readonly #http: HttpDoor;
  readonly #sessions = new Map<string, string>();

  constructor(http: HttpDoor) {
    this.#http = http;
  }

  async send({
    profile,
    version,
    query = "",
    body,
  }: Extract<Input, { kind: "mcp" }>): Promise<string[]> {
    const session = version === MODERN ? null : await this.#session(profile, version);
    const known = session === null ? {} : { "mcp-session-id": session };
    const answer = await this.#post(`${profile}${query}`, body, {
      "mcp-protocol-version": version,
      ...(version === MODERN ? headersOf(body) : {}),
      ...known,
    });
    const text = await bodyOf(answer);
    // A session that a request ended is begun again.
    if (answer.statusCode === 404) this.#sessions.delete(`${profile} ${version}`);
    const problems = wrongText(text, answer.statusCode ?? 0);
    const type = answer.headers["content-type"] ?? "";
    if (/json/u.test(type) && !isJson(text)) problems.push(`not JSON: ${text.slice(0, 300)}`);
    if (text.includes('"code":-32603')) problems.push(`internal error: ${text.slice(0, 400)}`);
    return problems;
  }

  async #session(profile: string, version: string): Promise<string | null> {
    const key = `${profile} ${version}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const clientInfo = { name: "fuzz", version: "1" };
    const params = { protocolVersion: version, capabilities: {}, clientInfo };
    const answer = await this.#post(
      profile,
      JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
      {},
    );
    await bodyOf(answer);
    const id = answer.headers["mcp-session-id"];
    if (typeof id !== "string") return null;
    this.#sessions.set(key, id);
    return id;
  }

  async #post(
    server: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<IncomingMessage> {
    return this.#http.open(
      {
        method: "POST",
        path: `/mcp/${server}`,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body,
      },
      AbortSignal.timeout(HUNG),
    );
  }
}

/** As clients of that version send them: they repeat what the body says. */
function headersOf(body: string): Record<string, string> {
  const read = isJson(body) ? Method.safeParse(JSON.parse(body)) : null;
  if (read?.success !== true) return {};
  const name = Named.safeParse(read.data.params).data?.name ?? null;
  const values = { "mcp-method": read.data.method, ...(name === null ? {} : { "mcp-name": name }) };
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => /^[\x21-\x7e]{1,100}$/u.test(value)),
  );
}

/** All of it, or what comes of a stream within a second. */
async function bodyOf(answer: IncomingMessage): Promise<string> {
  const isStream = (answer.headers["content-type"] ?? "").startsWith("text/event-stream");
  const late = setTimeout(() => answer.destroy(), isStream ? STREAM : HUNG);
  let text = "";
  try {
    for await (const chunk of answer) text += String(chunk);
  } catch (error) {
    if (!isStream) throw error;
  } finally {
    clearTimeout(late);
  }
  return text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
