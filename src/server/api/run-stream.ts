import type { OnRunEvent } from "../../agents/run-events.ts";
import { ExpectedError } from "../../errors.ts";

/** Milliseconds. Proxies drop connections on which nothing is said, and models think for long. */
const HEARTBEAT = 15_000;

type Client = ReadableStreamDefaultController<Uint8Array>;

/**
 * One piece of work as server-sent events: an event of its type for everything it tells, then `answer` with what it returns, or `problem` with why
 * there is none. When the client goes away, `gone` is aborted.
 */
export class RunStream {
  readonly response: Response;
  readonly #gone = new AbortController();

  constructor(
    work: (onEvent: OnRunEvent, gone: AbortSignal) => Promise<unknown>,
    onBug: (error: unknown) => void,
  ) {
    const body = new ReadableStream<Uint8Array>({
      start: (client) => {
        const timer = setInterval(() => this.#send(client, ": still here\n\n"), HEARTBEAT);
        timer.unref();
        void this.#run(client, work, onBug).finally(() => clearInterval(timer));
      },
      cancel: () => this.#gone.abort(new ExpectedError("unavailable", "The client is gone.")),
    });
    this.response = new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  async #run(
    client: Client,
    work: (onEvent: OnRunEvent, gone: AbortSignal) => Promise<unknown>,
    onBug: (error: unknown) => void,
  ): Promise<void> {
    try {
      const answer = await work(
        (event) => this.#tell(client, event.type, event),
        this.#gone.signal,
      );
      this.#tell(client, "answer", answer);
    } catch (error) {
      if (this.#gone.signal.aborted) return;
      const isExpected = error instanceof ExpectedError;
      if (!isExpected) onBug(error);
      const code = isExpected ? error.code : "unavailable";
      const detail = isExpected
        ? error.message
        : "The service failed for a reason of its own; its log has the details.";
      this.#tell(client, "problem", { code, detail });
    }
    if (!this.#gone.signal.aborted) client.close();
  }

  #tell(client: Client, name: string, data: unknown): void {
    this.#send(client, `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #send(client: Client, text: string): void {
    if (!this.#gone.signal.aborted) client.enqueue(Buffer.from(text));
  }
}
