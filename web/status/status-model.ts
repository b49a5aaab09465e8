import type { Status } from "../../src/server/api/contract.ts";
import type { EventSubscriber, LiveEvent } from "../api/live-events.ts";
import { getJson } from "../api/request.ts";
import { Store } from "../api/store.ts";

/**
 * Milliseconds without an event after which the status is requested again: there is no event when the watcher stops, or when
 * the last pending file needed no change.
 */
const REFRESH = { idle: 60_000, pending: 5000 };

/** The status of the service: requested once, then kept current by its events. */
export class StatusModel {
  /** Null until the first answer. */
  readonly status = new Store<Status | null>(null);
  /** The most files that were pending since none was: what a bar counts from. */
  readonly most = new Store(0);
  readonly #refresh: typeof REFRESH;
  #events = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(live: EventSubscriber, refresh = REFRESH) {
    this.#refresh = refresh;
    live.subscribe((event) => {
      this.#events += 1;
      const known = this.status.get();
      if (event.type === "resync") void this.load();
      else if (known !== null) this.#set(withEvent(known, event));
    });
  }

  async load(): Promise<void> {
    const events = this.#events;
    try {
      const status = await getJson<Status>("/api/status");
      // An event that came meanwhile may be newer than this answer.
      if (events === this.#events) this.#set(status);
      else await this.load();
    } catch {
      // The connection banner says that the service is away; `resync` follows when it is back.
    }
  }

  #set(status: Status): void {
    const { pending: left } = status.index;
    this.most.set(left === 0 ? 0 : Math.max(left, this.most.get()));
    this.status.set(status);
    clearTimeout(this.#timer);
    const { idle, pending } = this.#refresh;
    this.#timer = setTimeout(() => void this.load(), status.index.pending > 0 ? pending : idle);
  }
}

function withEvent(status: Status, event: LiveEvent): Status {
  switch (event.type) {
    case "index": {
      const { type: _, ...counts } = event;
      return { ...status, index: { ...status.index, ...counts } };
    }
    case "inbox":
      return { ...status, inbox: event.count };
    case "update":
      return { ...status, queue: event.queue };
    case "file":
    case "tree":
    case "presence":
    case "resync":
      return status;
  }
}
