import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { z } from "zod";

import { CALL_ID, FORMATS, type ToolCall, type WireFormat } from "./wire-formats.ts";

/** A model for real clients: it calls one tool of one server, once, and then says "Done." */
export interface ClientsModel {
  /** Without `/v1`. Which provider it plays follows from the path that is asked for. */
  readonly address: string;
  /** Every text of the requests that came after the call: what the model was shown. */
  readonly shown: () => readonly string[];
  close(): void;
}

interface WantedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: object;
}

export async function startClientsModel(wanted: WantedCall): Promise<ClientsModel> {
  const bodies: string[] = [];
  const server = createServer((incoming, response) => {
    void answer(incoming, response);
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString("utf8");
    const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
    const format = FORMATS.find(({ path }) => path.test(pathname));
    if (format === undefined) return json(response, MODELS);
    // Gemini's answers to calls have no id.
    const isAnswered = body.includes(CALL_ID) || body.includes('"functionResponse"');
    if (isAnswered) bodies.push(body);
    const call = isAnswered ? null : offered(body, wanted);
    const streams = /"stream":\s*true/u.test(body) || pathname.includes("stream");
    return streams ? stream(response, format, call) : json(response, format.whole(call));
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return {
    address: `http://127.0.0.1:${address.port}`,
    shown: () => bodies.flatMap((body) => textsIn(JSON.parse(body))),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Some clients look whether the model exists. */
const MODELS = { object: "list", data: [{ id: "scripted", object: "model" }] };

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function stream(response: ServerResponse, format: WireFormat, call: ToolCall | null): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [type, data] of format.events(call)) {
    const name = format.namesEvents ? `event: ${type}\n` : "";
    response.write(`${name}data: ${JSON.stringify(data)}\n\n`);
  }
  response.end(format.ends ?? "");
}

const Offer = z.looseObject({ tools: z.unknown().optional() });
const Named = z.looseObject({ name: z.string(), type: z.unknown().optional() });

/** The tool as this client names it: most put the server's name before it, each in its own way. */
function offered(body: string, { server, tool, args }: WantedCall): ToolCall | null {
  const found: ToolCall[] = [];
  const visit = (value: unknown, namespace: string | null): void => {
    if (typeof value !== "object" || value === null) return;
    const named = Named.safeParse(value).data;
    if (named?.name.endsWith(tool) === true) found.push({ name: named.name, namespace, args });
    const within = named?.type === "namespace" ? named.name : namespace;
    for (const each of Object.values(value)) visit(each, within);
  };
  visit(Offer.parse(JSON.parse(body)).tools, null);
  const isOurs = ({ name, namespace }: ToolCall): boolean =>
    `${namespace ?? ""} ${name}`.includes(server);
  return found.find(isOurs) ?? found.find(({ name }) => name === tool) ?? null;
}

/** All texts in a value, and in the JSON that some of them hold. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, ...textsIn(parsed(value))];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
