import { Agent, request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

import { errnoOf } from "../../errors.ts";
import { findOwner, type OwnerInfo } from "../../jobs/owner/owner-lock.ts";
import { parseEvents, type ServerEvent } from "../http/parse-events.ts";
import { NOT_BEGUN_HEADER } from "../http/problem.ts";
import { OwnerGoneError, refusalOf, type Answer, type Call, type Transport } from "./transport.ts";

/** Milliseconds. A running owner answers at once; one that hangs must not hang a command too. */
const PING_TIMEOUT = 5000;

/** Errors of a connection that was never made. */
const NOT_CONNECTED: ReadonlySet<string | null> = new Set(["ECONNREFUSED", "ENOENT"]);

/** The owner of the vault with this state folder; null when there is none, or it does not answer. */
export async function connectOwner(
  state: string,
  { timeout = PING_TIMEOUT } = {},
): Promise<SocketTransport | null> {
  const owner = findOwner(state);
  if (owner === null) return null;
  const transport = new SocketTransport(owner);
  try {
    const signal = AbortSignal.timeout(timeout);
    await transport.ask({ method: "GET", path: "/api/alive", signal });
    return transport;
  } catch {
    transport.close();
    return null;
  }
}

/** HTTP to the process that owns a vault, over its socket. */
export class SocketTransport implements Transport {
  readonly owner: OwnerInfo;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(owner: OwnerInfo) {
    this.owner = owner;
  }

  async ask(call: Call): Promise<Answer> {
    return this.#answerOf(await this.#send(call));
  }

  async *listen(call: Call): AsyncGenerator<ServerEvent> {
    const headers = { ...call.headers, accept: "text/event-stream" };
    const response = await this.#send({ ...call, headers });
    if ((response.statusCode ?? 0) >= 400) throw refusalOf(await this.#answerOf(response));
    yield* parseEvents(this.#chunksOf(response));
  }

  async *download(call: Call): AsyncGenerator<Uint8Array> {
    const response = await this.#send(call);
    if ((response.statusCode ?? 0) >= 400) throw refusalOf(await this.#answerOf(response));
    yield* this.#chunksOf(response);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Resolves with the head of the answer. */
  async #send(call: Call): Promise<IncomingMessage> {
    let response: IncomingMessage;
    try {
      response = await this.#request(call);
    } catch (error) {
      const wasAsked = !NOT_CONNECTED.has(errnoOf(error));
      throw new OwnerGoneError(this.owner, { wasAsked, cause: error });
    }
    if (response.headers[NOT_BEGUN_HEADER] === undefined) return response;
    response.resume();
    throw new OwnerGoneError(this.owner, { wasAsked: false });
  }

  async #request({ method, path, signal, headers, body }: Call): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const form = body instanceof FormData ? new Response(body) : null;
    const type = form?.headers.get("content-type") ?? "application/json";
    const sent = request({
      socketPath: this.owner.endpoint,
      agent: this.#agent,
      method,
      path,
      headers: { "content-type": type, ...headers },
      ...(signal === undefined ? {} : { signal }),
    });
    sent.on("response", resolve).on("error", reject);
    if (form === null) sent.end(body === undefined ? undefined : JSON.stringify(body));
    else streamOf(form).on("error", reject).pipe(sent);
    return promise;
  }

  async #answerOf(response: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#chunksOf(response)) chunks.push(chunk);
    return {
      status: response.statusCode ?? 0,
      type: response.headers["content-type"] ?? "",
      bytes: Buffer.concat(chunks),
      owner: this.owner,
    };
  }

  async *#chunksOf(response: IncomingMessage): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of response) yield Buffer.from(chunk);
    } catch (error) {
      throw new OwnerGoneError(this.owner, { wasAsked: true, cause: error });
    }
  }
}

/** Files of a form are read from disk while they are sent. */
function streamOf({ body }: Response): Readable {
  const stream: ReadableStream | null = body;
  return stream === null ? Readable.from([]) : Readable.fromWeb(stream);
}

/**
 * Calls `onGone`, once, when nobody listens at the endpoint any more. The system closes an idle connection the moment the owner's process
 * ends; when the owner itself closes it for being idle, another is opened.
 * @returns stops watching
 */
export function watchOwner(endpoint: string, onGone: () => void): () => void {
  let socket: Socket;
  let isStopped = false;
  const open = (): void => {
    let isConnected = false;
    socket = connect(endpoint, () => (isConnected = true));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isStopped) return;
      if (isConnected) open();
      else onGone();
    });
    // Without reading, the end is never seen. The watch does not keep the process running.
    socket.resume().unref();
  };
  open();
  return () => {
    isStopped = true;
    socket.destroy();
  };
}
