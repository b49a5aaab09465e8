import { randomBytes } from "node:crypto";

import type { Service } from "../../compose.ts";
import type { JobReport } from "../../jobs/background-job.ts";
import { showPath } from "../../vault/paths.ts";
import type { FeedEvents, FileChanges } from "./contract.ts";

/** Events kept for clients that reconnect; one that missed more has to reload everything. */
const MAX_KEPT = 1000;
/** A change of more files than this is sent as `resync`. */
const MAX_PATHS = 1000;
/** Bytes of one event, or of all that a client missed, of which more is sent as `resync`: a client takes 1 MB at a time, and is cut at more. */
const MAX_SENT = 768 * 1024;
/** Bytes of all kept events, so that a thousand of them with a thousand long names each are not held. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** A client that leaves more unread is disconnected: it reconnects when it can, and misses nothing. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** Milliseconds. Proxies and laptops drop idle connections. */
const HEARTBEAT = 15_000;

interface FeedEvent {
  readonly number: number;
  readonly text: string;
  readonly bytes: number;
  /** The files that it is about; `all` when they were too many to name. */
  readonly changes: FileChanges | "all" | null;
  /** The number that all replicas give this change; null where there is none. */
  readonly shared: number | null;
}

type Client = ReadableStreamDefaultController<Uint8Array>;

export interface EventFeedOptions {
  /** Without an index, nothing is said of its sizes. */
  readonly service: Pick<Service, "onDone" | "pending"> &
    Partial<Pick<Service, "index" | "memory" | "onIndexing" | "unindexed">> & {
      readonly frontmatter?: Pick<Service["frontmatter"], "onWriting">;
      /** Calls a listener when somebody came to a note or left it, that those who follow this feed may see. */
      readonly onPresence?: (listener: () => void) => () => void;
    };
  readonly heartbeat?: number;
  /**
   * For a vault that several replicas serve: what its readers see of it, in a word of letters and digits, and the number of the last change
   * that all replicas agree on. Versions of one view then mean the same everywhere.
   */
  readonly shared?: { readonly view: string; readonly last: number };
  /** Nothing is counted while nobody listens: with a feed for each caller, every change would be counted by all of them. */
  readonly countsOnlyFor?: "listeners";
}

/** What happens in the vault, as server-sent events: see {@link FeedEvents}. */
export class EventFeed {
  /** Identifies this process: event numbers of another one mean nothing here. */
  readonly #epoch = randomBytes(6).toString("hex");
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: readonly (() => void)[];
  #events: FeedEvent[] = [];
  #keptBytes = 0;
  #last = 0;
  #ofModels: EventFeed | null = null;
  readonly #view: string | null;
  /** The numbers that all replicas share: all changes after the first of them are known here, up to the last. */
  readonly #shared: { first: number; last: number };

  constructor({ service, heartbeat = HEARTBEAT, shared, countsOnlyFor }: EventFeedOptions) {
    this.#view = shared?.view ?? null;
    this.#shared = { first: shared?.last ?? 0, last: shared?.last ?? 0 };
    const onDone = service.onDone((done) => {
      const number = done.number ?? null;
      if (number !== null) this.#shared.last = number;
      const isTooMany = done.isAll === true || done.changed.length + done.gone.length > MAX_PATHS;
      const changes = isTooMany ? null : showChanges(done);
      if (changes === null || Buffer.byteLength(JSON.stringify(changes)) > MAX_SENT)
        this.#tell("resync", {}, "all", number);
      else this.#tell("file", changes, changes, number);
      this.#tell("tree", {});
      if (countsOnlyFor === "listeners" && this.#clients.size === 0) return;
      // Counts that cannot be read now come with the next change.
      this.#tellCounts(service, done).catch(() => {});
    });
    const onIndexing = service.onIndexing?.(() => void this.#tellIndex(service));
    const onWriting = service.frontmatter?.onWriting(() => void this.#tellIndex(service));
    const onUpdate = service.memory?.onUpdate(({ id, status }, queue) =>
      this.#tell("update", { id, status, queue }),
    );
    const onPresence = service.onPresence?.(() => this.#tell("presence", {}));
    this.#unsubscribe = [onDone, onIndexing, onWriting, onUpdate, onPresence].filter(
      (each) => each !== undefined,
    );
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

  /** Identifies the present of the files: what happens to them from now on is {@link changesSince} it. */
  get version(): string {
    return this.#view === null ? this.#here : `${this.#view}-${this.#shared.last}`;
  }

  /** The id of the last event. */
  get #here(): string {
    return `${this.#epoch}-${this.#last}`;
  }

  /** All paths that changed or went since a {@link version}, sorted; null when they are not known any more. */
  changesSince(version: string): string[] | null {
    const { first, last } = this.#shared;
    const seen =
      this.#view === null ? this.#seen(version) : numberIn(version, this.#view, first, last);
    if (seen === null) return null;
    const paths = new Set<string>();
    for (const { number, shared, changes } of this.#events) {
      if (((this.#view === null ? number : shared) ?? 0) <= seen || changes === null) continue;
      if (changes === "all") return null;
      for (const path of [...changes.changed, ...changes.gone]) paths.add(path);
    }
    return [...paths].toSorted();
  }

  /** The feed for those who read for a model: what happens to what they see. */
  forModels({ onDone }: Pick<Service, "onDone">): EventFeed {
    this.#ofModels ??= new EventFeed({ service: { onDone, pending: 0 } });
    return this.#ofModels;
  }

  close(): void {
    this.#ofModels?.close();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearInterval(this.#timer);
    for (const client of this.#clients) client.close();
    this.#clients.clear();
  }

  /** The events that a client missed, as they are sent. */
  #since(lastSeen: string | undefined): string {
    const here = `id: ${this.#here}\n`;
    if (lastSeen === undefined || lastSeen === "") return `${here}\n`;
    const seen = this.#seen(lastSeen);
    const missed = seen === null ? null : this.#events.filter(({ number }) => number > seen);
    if (missed === null || bytesOf(missed) > MAX_SENT) return `${here}event: resync\ndata: {}\n\n`;
    return `\n${missed.map((event) => event.text).join("")}`;
  }

  /** The number of an event of ours, when those after it are still kept. */
  #seen(version: string): number | null {
    return numberIn(version, this.#epoch, this.#last - this.#events.length, this.#last);
  }

  async #tellCounts(service: EventFeedOptions["service"], done: JobReport): Promise<void> {
    const { memory } = service;
    await this.#tellIndex(service);
    if (memory === undefined) return;
    if ([...done.changed, ...done.gone].some((path) => path.startsWith("inbox/")))
      this.#tell("inbox", { count: (await memory?.inbox.count()) ?? 0 });
  }

  async #tellIndex({ index, pending, unindexed }: EventFeedOptions["service"]): Promise<void> {
    if (index === undefined) return;
    const { files, chunks } = await index.stats();
    const total = unindexed === undefined ? {} : { total: files + unindexed };
    this.#tell("index", { files, chunks, pending, ...total });
  }

  #tell<Name extends keyof FeedEvents>(
    name: Name,
    data: FeedEvents[Name],
    changes: FeedEvent["changes"] = null,
    shared: number | null = null,
  ): void {
    this.#last += 1;
    const text = `id: ${this.#here}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const bytes = Buffer.byteLength(text);
    this.#events.push({ number: this.#last, text, bytes, changes, shared });
    this.#keptBytes += bytes;
    while (this.#events.length > MAX_KEPT || this.#keptBytes > MAX_KEPT_BYTES) {
      const oldest = this.#events.shift();
      this.#keptBytes -= oldest?.bytes ?? 0;
      this.#shared.first = oldest?.shared ?? this.#shared.first;
    }
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

const bytesOf = (events: readonly FeedEvent[]): number =>
  events.reduce((sum, { bytes }) => sum + bytes, 0);

function showChanges({ changed, created, gone }: JobReport): FileChanges {
  const show = (paths: readonly string[]): string[] => paths.map((path) => showPath(path));
  return { changed: show(changed), created: show(created), gone: show(gone) };
}

/** The number of a version of this name, when it is one from the first to the last. */
function numberIn(version: string, name: string, first: number, last: number): number | null {
  const [own, text = ""] = version.split("-");
  const number = /^\d{1,15}$/u.test(text) ? Number(text) : -1;
  return own !== name || number < first || number > last ? null : number;
}
