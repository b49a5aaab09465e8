import { PassThrough, type Readable, type Writable } from "node:stream";

import {
  type JSONRPCMessage,
  type McpRequestContext,
  type McpServer,
  type RequestId,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import { asAnswered } from "./mcp-errors.ts";

export interface StdioConnection {
  /** Resolves when the client is gone: its input ended and all it had asked is answered, or a stream broke. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over two streams, in whichever version of the protocol it speaks. */
export function serveMcpStdio(
  createServer: (era: McpRequestContext["era"]) => McpServer,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): StdioConnection {
  // The library drops what it was asked when the input ends; `echo … | coffre mcp` would answer nothing.
  const held = new PassThrough();
  input.pipe(held, { end: false });
  const transport = new CountingTransport(held, output);
  const handle = serveStdio(({ era }) => createServer(era), { transport });
  const onEnd = (): void => void transport.answered().then(() => held.end());
  input.once("end", onEnd).once("close", onEnd);
  // A stream that is read keeps the process.
  const closed = transport.closed.then(() => void input.unpipe(held).pause());
  return { closed, close: async () => handle.close() };
}

/** Knows when everything that was asked is answered, and when it is closed. */
class CountingTransport extends StdioServerTransport {
  readonly #closed = Promise.withResolvers<void>();
  readonly #open = new Set<RequestId>();
  #onAnswered = (): void => {};

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  override async start(): Promise<void> {
    const { onmessage } = this;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way to be listened to
    this.onmessage = (message) => {
      this.#received(message);
      onmessage?.(message);
    };
    return super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(asAnswered(message));
    // By their form: the library has checked them, and its schemas would check every answer again.
    const isAnswer = "result" in message || "error" in message;
    if (isAnswer && message.id !== undefined) this.#settle(message.id);
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closed.resolve();
  }

  async answered(): Promise<void> {
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAnswered = resolve;
    await promise;
  }

  #received(message: JSONRPCMessage): void {
    // A subscription is answered by its end.
    if (!("method" in message)) return;
    if ("id" in message) {
      if (message.method !== "subscriptions/listen") this.#open.add(message.id);
    } else if (message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#settle(id);
    }
  }

  #settle(id: RequestId): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onAnswered();
  }
}
