/** Bytes that a subscriber may leave unread. One that leaves more is disconnected: it reconnects when it can read again. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * The same answer, whose body holds a bounded number of bytes for a client that does not read. Its source is read at once: some sources queue
 * without bound what nobody takes from them.
 * @param onOverflow disconnects the client: a stream that waits for it to read would wait for ever
 */
export function boundedStream(
  response: Response,
  onOverflow: () => void,
  most = MAX_UNREAD_BYTES,
): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const pump = async (client: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        client.close();
        return;
      }
      if ((client.desiredSize ?? 0) < value.byteLength) {
        // Cancels this stream too, and what is queued in it goes.
        onOverflow();
        await reader.cancel();
        return;
      }
      client.enqueue(value);
    }
  };
  const bounded = new ReadableStream<Uint8Array>(
    {
      start: (client) => {
        pump(client).catch((error: unknown) => {
          client.error(error);
        });
      },
      cancel: async (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: most }),
  );
  return new Response(bounded, { status, headers });
}
