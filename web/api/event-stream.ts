/** One event of a stream that answers a request. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Reads server-sent events from an answer as they come. `EventSource` cannot: it only asks with GET. */
export async function* readEventStream(response: Response): AsyncGenerator<StreamEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const name = /^event: ?(.*)$/mu.exec(event)?.[1];
      const data = /^data: ?(.*)$/mu.exec(event)?.[1];
      if (name !== undefined && data !== undefined) yield { name, data };
    }
  }
}
