import { ExpectedError, isErrorCode } from "../../errors.ts";
import type { OwnerInfo } from "../../jobs/owner/owner-lock.ts";
import type { CallResult } from "../../tools/call-result.ts";
import type { VaultApp } from "../api/app.ts";
import { ProblemAnswer } from "../http/tool-contract.ts";
import type { ToolRequest } from "../api/tool-routes.ts";
import { READER_HEADER, type Reader } from "../http/reader.ts";
import { parseEvents, type ServerEvent } from "../http/parse-events.ts";

/** One HTTP request to the service of a vault. */
export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** A form is sent as multipart, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** May be sent to the next owner when this one ended without an answer. True for GET by default. */
  readonly isRepeatable?: boolean;
}

export interface Answer {
  readonly status: number;
  /** The media type. */
  readonly type: string;
  readonly bytes: Buffer;
  /** The process that answered, when it is another one. */
  readonly owner?: OwnerInfo;
}

/**
 * Carries requests to the service of a vault: to another process over its socket, or to the app in this one. Answers of any status
 * are returned; {@link OwnerGoneError} is thrown when the service ended without one.
 */
export interface Transport {
  ask(call: Call): Promise<Answer>;
  /** Calls a tool without HTTP, when the vault is open in this process; null when it is not. */
  callTool?(request: ToolRequest): Promise<CallResult | null>;
  /** The server-sent events that answer a request, until the last. Throws the refusal when the status is 400 or more. */
  listen(call: Call): AsyncIterable<ServerEvent>;
  /** The bytes that answer a request, as they come. Throws the refusal when the status is 400 or more. */
  download(call: Call): AsyncIterable<Uint8Array>;
}

/** The owner ended while it was asked. */
export class OwnerGoneError extends ExpectedError {
  /** False when it had ended, or rejected the request, before any work: then it is safe to retry. */
  readonly wasAsked: boolean;

  constructor({ pid }: OwnerInfo, { wasAsked, cause }: { wasAsked: boolean; cause?: unknown }) {
    super("unavailable", `The service (pid ${pid}) ended before it answered; try again.`, {
      cause,
    });
    this.name = "OwnerGoneError";
    this.wasAsked = wasAsked;
  }
}

/** A transport that says with every request for whom it reads. */
export function readingFor(reader: Reader, transport: Transport): Transport {
  const marked = (call: Call): Call => ({
    ...call,
    headers: { ...call.headers, [READER_HEADER]: reader },
  });
  const callTool = transport.callTool?.bind(transport);
  return {
    ...(callTool === undefined
      ? {}
      : { callTool: async (request) => callTool({ ...request, reader }) }),
    ask: async (call) => transport.ask(marked(call)),
    listen: (call) => transport.listen(marked(call)),
    download: (call) => transport.download(marked(call)),
  };
}

/** Calls an app in this process, without a socket. */
export function appTransport(
  app: { fetch(request: Request): Promise<Response> | Response } & Partial<
    Pick<VaultApp, "callTool">
  >,
): Transport {
  const send = async (call: Call, accept?: string): Promise<Response> => {
    const { method, path, headers, body, signal } = call;
    const isForm = body instanceof FormData;
    const request = new Request(`http://coffre${path}`, {
      method,
      headers: {
        ...(isForm ? {} : { "content-type": "application/json" }),
        ...(accept === undefined ? {} : { accept }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return app.fetch(request);
  };
  return {
    callTool: async (request) => (await app.callTool?.(request)) ?? null,
    ask: async (call) => answerOf(await send(call)),
    listen: async function* (call) {
      const response = await send(call, "text/event-stream");
      if (response.status >= 400) throw refusalOf(await answerOf(response));
      yield* parseEvents(abortable(response.body, call.signal));
    },
    download: async function* (call) {
      const response = await send(call);
      if (response.status >= 400) throw refusalOf(await answerOf(response));
      yield* abortable(response.body, call.signal);
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** A stream made in this process does not end with the signal of its request by itself. */
async function* abortable(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const stop = (): void => void reader?.cancel().catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      yield read.value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

/** An answer of status 400 or more, as an error. */
export function refusalOf({ bytes, owner }: Answer): ExpectedError {
  return problemOf(bytes.toString("utf8"), owner);
}

export function problemOf(text: string, owner?: OwnerInfo): ExpectedError {
  try {
    const { code, detail } = ProblemAnswer.parse(JSON.parse(text));
    return new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
  } catch (error) {
    return otherVersion(error, owner);
  }
}

/** For an answer that does not fit its schema. */
export function otherVersion(cause: unknown, owner?: OwnerInfo): ExpectedError {
  const who = owner === undefined ? "" : ` (pid ${owner.pid}, version ${owner.version})`;
  return new ExpectedError(
    "unavailable",
    `The service${who} gave an answer of another version; restart it, so that both run the same version.`,
    { cause },
  );
}
