/** One server-sent event; `data` is JSON. The first event of every stream is `open`, made by the transport. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
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
