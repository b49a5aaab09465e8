export interface StreamGuard {
  /** Whether its reader may still have what comes: asked before each part is sent. */
  readonly mayRead: () => Promise<boolean>;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

/** Whether an answer goes on after it has begun. */
export function isStream({ headers }: Response): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** A stream that ends before its reader gets something that they may no longer have. */
export function guardedStream(response: Response, { mayRead, onEnd }: StreamGuard): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    onEnd();
    return response;
  }
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (sent) => {
        try {
          const { done, value } = await reader.read();
          // What cannot be asked now is not sent: its reader connects again.
          if (!done && (await mayRead().catch(() => false))) return sent.enqueue(value);
          if (!done) await reader.cancel();
          sent.close();
        } catch (error) {
          sent.error(error);
        }
        end();
      },
      cancel: async (reason) => {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
