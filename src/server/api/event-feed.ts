import { randomBytes } from "node:crypto";

import type { Memory } from "../../agents/memory.ts";
import type { Service } from "../../compose.ts";
import type { JobReport } from "../../jobs/background-job.ts";
import { showPath } from "../../vault/paths.ts";
import type { FeedEvents, FileChanges } from "./contract.ts";

/** Events kept for clients that reconnect; one that missed more has to reload everything. */
const MAX_KEPT = 1000;
/** A change of more files than this is sent as `resync`. */
const MAX_PATHS = 1000;
/** A client that leaves more unread is disconnected: it reconnects when it can, and misses nothing. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** Milliseconds. Proxies and laptops drop idle connections. */
const HEARTBEAT = 15_000;

interface FeedEvent {
  readonly number: number;
  readonly text: string;
}

type Client = ReadableStreamDefaultController<Uint8Array>;

export interface EventFeedOptions {
  readonly service: Pick<Service, "onDone" | "index" | "pending"> &
    Partial<Pick<Service, "memory">>;
  readonly heartbeat?: number;
}

/** What happens in the vault, as server-sent events: see {@link FeedEvents}. */
export class EventFeed {
  /** Identifies this process: event numbers of another one mean nothing here. */
  readonly #epoch = randomBytes(6).toString("hex");
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: readonly (() => void)[];
  #events: FeedEvent[] = [];
  #last = 0;

  constructor({ service, heartbeat = HEARTBEAT }: EventFeedOptions) {
    const onDone = service.onDone((done) => {
      if (done.changed.length + done.gone.length > MAX_PATHS) this.#tell("resync", {});
      else this.#tell("file", showChanges(done));
      this.#tell("tree", {});
      void this.#tellIndex(service);
      if ([...done.changed, ...done.gone].some((path) => path.startsWith("inbox/")))
        void this.#tellInbox(service.memory ?? null);
    });
    const onUpdate = service.memory?.onUpdate(({ id, status }, queue) =>
      this.#tell("update", { id, status, queue }),
    );
    this.#unsubscribe = onUpdate === undefined ? [onDone] : [onDone, onUpdate];
    this.#timer = setInterval(() => this.#send(": still here\n\n"), heartbeat);
    this.#timer.unref();
  }

  /** How many clients are connected. */
  get listeners(): number {
    return this.#clients.size;
  }

  /**
   * Sends the events since `lastSeen`, then all that happens from now on.
   * @param lastSeen the client's `Last-Event-ID`
   */
  stream(lastSeen: string | undefined): Response {
    let own: Client | null = null;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (client) => {
          own = client;
          // The present id first, so that a client that gets no event can still reconnect from here.
          client.enqueue(Buffer.from(`retry: 1000\n${this.#since(lastSeen)}`));
          this.#clients.add(client);
        },
        cancel: () => {
          if (own !== null) this.#clients.delete(own);
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
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

  /** The events that a client missed, as they are sent. */
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

  async #tellIndex({ index, pending }: EventFeedOptions["service"]): Promise<void> {
    const { files, chunks } = await index.stats();
    this.#tell("index", { files, chunks, pending });
  }

  async #tellInbox(memory: Memory | null): Promise<void> {
    this.#tell("inbox", { count: (await memory?.inbox.count()) ?? 0 });
  }

  #tell<Name extends keyof FeedEvents>(name: Name, data: FeedEvents[Name]): void {
    this.#last += 1;
    const id = `${this.#epoch}-${this.#last}`;
    const text = `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    this.#events.push({ number: this.#last, text });
    if (this.#events.length > MAX_KEPT) this.#events.shift();
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

function showChanges({ changed, created, gone }: JobReport): FileChanges {
  const show = (paths: readonly string[]): string[] => paths.map((path) => showPath(path));
  return { changed: show(changed), created: show(created), gone: show(gone) };
}
