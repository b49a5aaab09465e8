import type { FileChanges } from "../../src/server/api/contract.ts";
import { Store } from "./store.ts";

/** What the service tells as it happens. After `resync`, anything may differ. */
export type LiveEvent =
  | { readonly type: "file"; readonly changes: FileChanges }
  | { readonly type: "index" }
  | { readonly type: "inbox" }
  | { readonly type: "update"; readonly id: string }
  | { readonly type: "resync" };

/**
 * `lost`: the service does not answer, and is asked again and again. `shut-out`: it answers, but this browser is not let in any more.
 */
export type Connection = "connecting" | "live" | "lost" | "shut-out";

/** Milliseconds between two attempts that we make ourselves. */
const AGAIN = 1500;

/** Listens to the service for as long as the page is open, through its restarts. */
export class LiveEvents {
  readonly connection = new Store<Connection>("connecting");
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  /** A source of our own making does not know where the one before it was. */
  #mayHaveMissed = false;

  /** Calls `listener` with what happens, until the function it returns is called. */
  readonly subscribe = (listener: (event: LiveEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  start(): void {
    const source = new EventSource("/api/events");
    source.addEventListener("open", () => {
      this.connection.set("live");
      if (this.#mayHaveMissed) this.#tell({ type: "resync" });
      this.#mayHaveMissed = false;
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) void this.#startAgain();
      else if (this.connection.get() !== "connecting") this.connection.set("lost");
    });
    source.addEventListener("file", ({ data }) =>
      this.#tell({ type: "file", changes: JSON.parse(data) }),
    );
    source.addEventListener("update", ({ data }) =>
      this.#tell({ type: "update", id: String(JSON.parse(data).id) }),
    );
    for (const type of ["index", "inbox", "resync"] as const) {
      source.addEventListener(type, () => this.#tell({ type }));
    }
  }

  /** Browsers give up on an answer that is no event stream: while the service starts, or when it shuts us out. */
  async #startAgain(): Promise<void> {
    this.connection.set((await isShutOut()) ? "shut-out" : "lost");
    this.#mayHaveMissed = true;
    window.setTimeout(() => this.start(), AGAIN);
  }

  #tell(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

async function isShutOut(): Promise<boolean> {
  try {
    const { status } = await fetch("/api/alive");
    return status === 401 || status === 403;
  } catch {
    return false;
  }
}
