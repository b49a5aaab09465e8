import type { Context } from "hono";
import { streamSSE } from "hono/streaming";

import { ExpectedError } from "../../errors.ts";

/*
 * Server-sent events, for both ends: the service writes them, a client of ours reads them.
 */

/** Milliseconds. Proxies drop idle connections, and models think for long. */
const KEEP_ALIVE_INTERVAL = 15_000;

/** One server-sent event; `data` is JSON. The first event of every stream is `open`, made by the transport. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** One event of a run: its type is the name of the server-sent event. */
export type OnEvent = (event: { readonly type: string; readonly [name: string]: unknown }) => void;

/** Whether a request asks for events instead of one answer. */
export function wantsEvents({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/event-stream") === true;
}

/**
 * Answers with server-sent events: one for everything that `work` reports, then `answer` with what it returns, or `problem` with the error.
 * @param work its signal is aborted when the client disconnects
 */
export function runStream(
  c: Context,
  work: (onEvent: OnEvent, gone: AbortSignal) => Promise<unknown>,
  onBug: (error: unknown) => void,
): Response {
  const gone = new AbortController();
  return streamSSE(c, async (stream) => {
    stream.onAbort(() => gone.abort(new ExpectedError("unavailable", "The client disconnected.")));
    const timer = setInterval(() => void stream.write(": keep-alive\n\n"), KEEP_ALIVE_INTERVAL);
    const send = async (event: string, data: unknown): Promise<void> =>
      stream.writeSSE({ event, data: JSON.stringify(data) });
    try {
      await send("answer", await work((event) => void send(event.type, event), gone.signal));
    } catch (error) {
      if (!gone.signal.aborted) await send("problem", problemOf(error, onBug));
    } finally {
      clearInterval(timer);
    }
  });
}

function problemOf(
  error: unknown,
  onBug: (error: unknown) => void,
): { code: string; detail: string } {
  if (error instanceof ExpectedError) return { code: error.code, detail: error.message };
  onBug(error);
  return { code: "unavailable", detail: "Internal error; see the log." };
}

/** Reads events as our own service writes them. */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  yield { name: "open", data: "{}" };
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: (.*)$/mu.exec(event)?.[1];
      const data = /^data: (.*)$/mu.exec(event)?.[1];
      if (name !== undefined && data !== undefined) yield { name, data };
    }
  }
}
