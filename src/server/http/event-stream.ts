import type { Context } from "hono";
import { streamSSE } from "hono/streaming";

import { ExpectedError } from "../../errors.ts";
import { INTERNAL_ERROR } from "./problem.ts";

/** Milliseconds. Proxies drop idle connections, and models think for long. */
const KEEP_ALIVE_INTERVAL = 15_000;

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
      if (gone.signal.aborted) return;
      if (!(error instanceof ExpectedError)) onBug(error);
      const { code, message: detail } = error instanceof ExpectedError ? error : INTERNAL_ERROR;
      await send("problem", { code, detail });
    } finally {
      clearInterval(timer);
    }
  });
}
