import { BASE } from "./base.ts";
import type { FeedEvents } from "../../src/server/api/contract.ts";
import { Store } from "./store.ts";

/** An event of the service. After `resync`, anything may differ. */
export type LiveEvent = {
  [Name in keyof FeedEvents]: { readonly type: Name } & FeedEvents[Name];
}[keyof FeedEvents];

/** What a model of the page needs of {@link LiveEvents}. */
export type EventSubscriber = Pick<LiveEvents, "subscribe">;

/** `lost`: the service does not answer; the page keeps retrying. `shut-out`: it answers, but no longer accepts this browser. */
export type Connection = "connecting" | "live" | "lost" | "shut-out";

/** Milliseconds between retries when the browser has given up. */
const RETRY = 1500;

const NAMES = ["file", "index", "inbox", "update", "presence", "resync"] as const;

/** The event stream of the service, kept open through restarts of the service for as long as the page is open. */
export class LiveEvents {
  readonly connection = new Store<Connection>("connecting");
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  /** A new source does not know the last event of the one before it. */
  #mayHaveMissed = false;

  /** Calls `listener` with every event, until the function it returns is called. */
  readonly subscribe = (listener: (event: LiveEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  start(): void {
    const source = new EventSource(`${BASE}/api/events`);
    source.addEventListener("open", () => {
      this.connection.set("live");
      if (this.#mayHaveMissed) this.#emit({ type: "resync" });
      this.#mayHaveMissed = false;
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) void this.#restart();
      else if (this.connection.get() !== "connecting") this.connection.set("lost");
    });
    for (const type of NAMES) {
      source.addEventListener(type, ({ data }) => this.#emit({ type, ...JSON.parse(data) }));
    }
  }

  /** Browsers give up on an answer that is no event stream: while the service starts, or when it rejects this browser. */
  async #restart(): Promise<void> {
    this.connection.set((await isShutOut()) ? "shut-out" : "lost");
    this.#mayHaveMissed = true;
    window.setTimeout(() => this.start(), RETRY);
  }

  #emit(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

async function isShutOut(): Promise<boolean> {
  try {
    const { status } = await fetch(`${BASE}/api/alive`);
    // A team's vault that one may not see is not there.
    return status === 401 || status === 403 || (BASE !== "" && status === 404);
  } catch {
    return false;
  }
}
