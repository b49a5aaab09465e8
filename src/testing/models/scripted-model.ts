import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import type { ModelSettings } from "../../agents/model/configured-model.ts";

/** What the model does in one turn. */
export interface ScriptedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Refuses with this status instead. */
  readonly status?: number;
  readonly retryAfter?: number;
  /** Breaks the connection after the first words. */
  readonly drops?: boolean;
  /** Says nothing more until this resolves. */
  readonly until?: Promise<unknown>;
}

export interface ScriptedCall {
  readonly name: string;
  readonly args: unknown;
}

/** What was asked, whatever the format. */
export interface ScriptedRequest {
  readonly body: string;
  /** The tools that were offered. */
  readonly tools: readonly string[];
  readonly toolChoice: string;
  /** The last thing said or answered to the model. */
  readonly last: string;
  /** Whether the tokens are wanted in an event of their own, as OpenAI sends them, or with the last words. */
  readonly wantsUsage: boolean;
  readonly headers: IncomingMessage["headers"];
}

export type Script = readonly (ScriptedTurn | ((request: ScriptedRequest) => ScriptedTurn))[];
export type WireFormat = "openai" | "anthropic";

export interface ScriptedModel {
  readonly baseUrl: string;
  readonly requests: ScriptedRequest[];
  /** Ends of turns that were asked for when the script was over: the model then says `Done.` */
  readonly beyond: () => number;
  close(): void;
}

/**
 * A real HTTP server that speaks as providers do, streaming, and says what its script says. One script is one conversation after another:
 * `choose` picks the script for a request when several run at once.
 */
export async function startScriptedModel(
  format: WireFormat,
  script: Script | ((request: ScriptedRequest) => ScriptedTurn),
): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  let beyond = 0;
  const server = createServer((incoming, response) => {
    void answer(incoming, response);
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const request = requestOf(Buffer.concat(chunks).toString("utf8"), incoming);
    const at = requests.push(request) - 1;
    const turn = turnAt(at, request);
    await turn.until;
    if (turn.status !== undefined) refuse(response, turn);
    else await speak(format, turn, response, { at, wantsUsage: request.wantsUsage });
  };
  const turnAt = (at: number, request: ScriptedRequest): ScriptedTurn => {
    if (typeof script === "function") return script(request);
    const turn = script[at];
    if (turn === undefined) beyond += 1;
    return typeof turn === "function" ? turn(request) : (turn ?? { text: "Done." });
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = addressOf(server.address());
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    beyond: () => beyond,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("not listening");
  return address;
}

function requestOf(body: string, { headers }: IncomingMessage): ScriptedRequest {
  const parsed = JSON.parse(body);
  const tools: { name?: string; function?: { name: string } }[] = parsed.tools ?? [];
  return {
    body,
    headers,
    tools: tools.map((tool) => tool.name ?? tool.function?.name ?? ""),
    toolChoice: String(parsed.tool_choice?.type ?? parsed.tool_choice ?? "auto"),
    last: JSON.stringify(parsed.messages.at(-1)),
    wantsUsage: parsed.stream_options?.include_usage === true,
  };
}

function refuse(response: ServerResponse, { status = 500, retryAfter }: ScriptedTurn): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  });
  response.end(JSON.stringify({ error: { message: `refused with ${status}`, type: "scripted" } }));
}

/** Words come one by one, as they do from providers. */
function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/gu) ?? [];
}

async function speak(
  format: WireFormat,
  turn: ScriptedTurn,
  response: ServerResponse,
  { at, wantsUsage }: { at: number; wantsUsage: boolean },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events =
    format === "openai" ? openaiEvents(turn, at, wantsUsage) : anthropicEvents(turn, at);
  for (const [count, event] of events.entries()) {
    if (turn.drops === true && count === 3) {
      // Let what was written arrive before the line is cut.
      await pause(20);
      response.destroy();
      return;
    }
    response.write(event);
  }
  response.end();
}

/** Tokens as the scripted model counts them: those of the request's characters are not known here, so a fixed number. */
const USAGE = { input: 1000, output: 50 };

function openaiEvents(
  { thinking, text = "", calls = [] }: ScriptedTurn,
  at: number,
  wantsUsage: boolean,
): string[] {
  const chunk = (delta: unknown, more: object = {}, finish: string | null = null): string =>
    `data: ${JSON.stringify({
      ...more,
      id: `turn-${at}`,
      object: "chat.completion.chunk",
      created: 0,
      model: "scripted",
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`;
  const usage = {
    id: `turn-${at}`,
    object: "chat.completion.chunk",
    created: 0,
    model: "scripted",
    choices: [],
    usage: {
      prompt_tokens: USAGE.input,
      completion_tokens: USAGE.output,
      total_tokens: USAGE.input + USAGE.output,
    },
  };
  return [
    chunk({ role: "assistant", content: "" }),
    ...(thinking === undefined ? [] : [chunk({ reasoning_content: thinking })]),
    ...pieces(text).map((piece) => chunk({ content: piece })),
    ...calls.map(({ name, args }, index) =>
      chunk({
        tool_calls: [
          {
            index,
            id: `call-${at}-${index}`,
            type: "function",
            function: { name, arguments: argumentsOf(args) },
          },
        ],
      }),
    ),
    chunk({}, wantsUsage ? {} : { usage: usage.usage }, calls.length > 0 ? "tool_calls" : "stop"),
    ...(wantsUsage ? [`data: ${JSON.stringify(usage)}\n\n`] : []),
    "data: [DONE]\n\n",
  ];
}

/** A text is sent as it is, for models that do not write JSON. */
function argumentsOf(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

function anthropicEvents({ thinking, text = "", calls = [] }: ScriptedTurn, at: number): string[] {
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const events = [
    event("message_start", {
      message: {
        id: `turn-${at}`,
        type: "message",
        role: "assistant",
        model: "scripted",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: USAGE.input, output_tokens: 1 },
      },
    }),
  ];
  let index = 0;
  const block = (start: object, deltas: readonly object[]): void => {
    events.push(event("content_block_start", { index, content_block: start }));
    for (const delta of deltas) events.push(event("content_block_delta", { index, delta }));
    events.push(event("content_block_stop", { index }));
    index += 1;
  };
  if (thinking !== undefined) {
    block({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature: "signed" },
    ]);
  }
  if (text !== "") {
    block(
      { type: "text", text: "" },
      pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    );
  }
  for (const [number, { name, args }] of calls.entries()) {
    block({ type: "tool_use", id: `toolu_${at}_${number}`, name, input: {} }, [
      { type: "input_json_delta", partial_json: argumentsOf(args) },
    ]);
  }
  events.push(
    event("message_delta", {
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: USAGE.output },
    }),
    event("message_stop", {}),
  );
  return events;
}

/** A key that must appear nowhere. */
export const SECRET_KEY = "sk-very-secret-key-0123456789";

/** Settings for a scripted model. */
export function scriptedSettings(
  { baseUrl }: Pick<ScriptedModel, "baseUrl">,
  format: WireFormat = "openai",
): ModelSettings {
  const provider = format === "openai" ? "openai-compatible" : "anthropic";
  return { name: `${provider}/scripted`, baseUrl, apiKey: SECRET_KEY };
}
