import { randomBytes } from "node:crypto";

import type { Service } from "../../compose.ts";
import { showChanges } from "./file-changes.ts";

/** A client that was away for more events than this has to look at everything again. */
const REMEMBERED = 1000;
/** More files than these in one event are not worth naming. */
const MOST_PATHS = 1000;
/** Bytes. A client that leaves more unread is cut off: it comes again when it can, and misses nothing. */
const MOST_UNREAD = 4 * 1024 * 1024;
/** Milliseconds. Proxies and laptops drop connections on which nothing is said. */
const HEARTBEAT = 15_000;

interface FeedEvent {
  readonly number: number;
  readonly text: string;
}

type Name = "file" | "tree" | "index" | "inbox" | "update" | "resync";
type Client = ReadableStreamDefaultController<Uint8Array>;

export interface EventFeedOptions {
  readonly service: Pick<Service, "onDone" | "index"> & Partial<Pick<Service, "memory">>;
  readonly heartbeat?: number;
}

/**
 * What happens in the vault, told to whoever listens: `file` (which ones changed, which of them are new, which are gone), `tree` and `index` (theirs
 * differ now), `inbox` (what waits there differs now), `update` (how far one is), `resync` (too much was missed: look at everything again).
 */
export class EventFeed {
  /** Of this process: the numbers of another one mean nothing here. */
  readonly #epoch = randomBytes(6).toString("hex");
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: readonly (() => void)[];
  #events: FeedEvent[] = [];
  #last = 0;

  constructor({ service, heartbeat = HEARTBEAT }: EventFeedOptions) {
    const onDone = service.onDone((done) => {
      if (done.changed.length + done.gone.length > MOST_PATHS) this.#tell("resync", {});
      else this.#tell("file", showChanges(done));
      this.#tell("tree", {});
      const { files, chunks } = service.index.stats();
      this.#tell("index", { files, chunks });
      if ([...done.changed, ...done.gone].some((path) => path.startsWith("inbox/")))
        this.#tell("inbox", {});
    });
    const onUpdate = service.memory?.onUpdate(({ id, status }) =>
      this.#tell("update", { id, status }),
    );
    this.#unsubscribe = onUpdate === undefined ? [onDone] : [onDone, onUpdate];
    this.#timer = setInterval(() => this.#send(": still here\n\n"), heartbeat);
    this.#timer.unref();
  }

  /** How many are listening. */
  get listeners(): number {
    return this.#clients.size;
  }

  /**
   * Tells all that happens from now on, and first what happened since the event that the client saw last.
   * @param lastSeen its `Last-Event-ID`
   */
  stream(lastSeen: string | undefined): Response {
    let own: Client | null = null;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (client) => {
          own = client;
          // With its place first, so that a client that hears nothing else can come back to it.
          client.enqueue(Buffer.from(`retry: 1000\n${this.#since(lastSeen)}`));
          this.#clients.add(client);
        },
        cancel: () => {
          if (own !== null) this.#clients.delete(own);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD }),
    );
    return new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearInterval(this.#timer);
    for (const client of this.#clients) client.close();
    this.#clients.clear();
  }

  /** What a client missed, as it is sent. */
  #since(lastSeen: string | undefined): string {
    const here = `id: ${this.#epoch}-${this.#last}\n`;
    if (lastSeen === undefined || lastSeen === "") return `${here}\n`;
    const [epoch, text = ""] = lastSeen.split("-");
    const seen = /^\d{1,15}$/u.test(text) ? Number(text) : -1;
    const oldest = this.#last - this.#events.length;
    if (epoch !== this.#epoch || seen < oldest || seen > this.#last) {
      return `${here}event: resync\ndata: {}\n\n`;
    }
    const missed = this.#events.filter(({ number }) => number > seen);
    return `\n${missed.map((event) => event.text).join("")}`;
  }

  #tell(name: Name, data: unknown): void {
    this.#last += 1;
    const id = `${this.#epoch}-${this.#last}`;
    const text = `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#events.push({ number: this.#last, text });
    if (this.#events.length > REMEMBERED) this.#events.shift();
    this.#send(text);
  }

  #send(text: string): void {
    const bytes = Buffer.from(text);
    for (const client of this.#clients) {
      if ((client.desiredSize ?? 0) > 0) client.enqueue(bytes);
      else {
        this.#clients.delete(client);
        client.close();
      }
    }
  }
}
