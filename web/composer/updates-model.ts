import type { UpdateView } from "../../src/server/api/agent-contract.ts";
import type { EventSubscriber } from "../api/live-events.ts";
import { getJson, postJson } from "../api/request.ts";
import { Store } from "../api/store.ts";

/** Filed updates from elsewhere that stay: a busy agent must not fill the page. */
const MAX_FILED_ELSEWHERE = 3;

/** The updates that were under way while the page was open, of all clients. */
export class UpdatesModel {
  /** The newest first. */
  readonly shown = new Store<readonly UpdateView[]>([]);
  /** How often each was requested: an answer to an older request is ignored. */
  readonly #requests = new Map<string, number>();

  constructor(live: EventSubscriber) {
    live.subscribe((event) => {
      if (event.type === "resync") void this.start();
      // An end is news only of an update that is shown, or about to be: its events may come before the first answer.
      if (event.type !== "update") return;
      if (isUnderWay(event) || this.#requests.has(event.id)) void this.follow(event.id);
    });
  }

  /** Loads the updates that are under way. */
  async start(): Promise<void> {
    try {
      const { updates } = await getJson<{ updates: readonly UpdateView[] }>("/api/updates");
      for (const update of updates.toReversed()) {
        // A list does not have what a preview would change.
        if (update.status === "preview") void this.follow(update.id);
        else if (this.#requests.has(update.id) || isUnderWay(update)) this.#put(update);
      }
    } catch {
      // A service without agents has none; one that is away sends `resync` when it is back.
    }
  }

  /** Shows an update from now on. */
  async follow(id: string): Promise<void> {
    const request = (this.#requests.get(id) ?? 0) + 1;
    this.#requests.set(id, request);
    try {
      const update = await getJson<UpdateView>(`/api/updates/${encodeURIComponent(id)}`);
      if (this.#requests.get(id) === request) this.#put(update);
    } catch {
      // Requested again at its next event, or when the service is back.
    }
  }

  async cancel(id: string): Promise<void> {
    this.#put(await postJson<UpdateView>(`/api/updates/${id}/cancel`, {}));
  }

  async retry(id: string): Promise<void> {
    this.#put(await postJson<UpdateView>(`/api/updates/${id}/retry`, {}));
  }

  /** Answers a preview: all of its changes are made, or none. */
  async decide(id: string, answer: "accept" | "reject"): Promise<void> {
    this.#put(await postJson<UpdateView>(`/api/updates/${id}/${answer}`, {}));
  }

  dismiss(id: string): void {
    this.#requests.delete(id);
    this.shown.set(this.shown.get().filter((update) => update.id !== id));
  }

  #put(update: UpdateView): void {
    if (!this.#requests.has(update.id)) this.#requests.set(update.id, 0);
    const known = this.shown.get();
    const isKnown = known.some(({ id }) => id === update.id);
    this.shown.set(
      isKnown ? known.map((each) => (each.id === update.id ? update : each)) : [update, ...known],
    );
    for (const { id } of this.shown.get().filter(isFiledElsewhere).slice(MAX_FILED_ELSEWHERE)) {
      this.dismiss(id);
    }
  }
}

export function isUnderWay({ status }: Pick<UpdateView, "status">): boolean {
  return status === "waiting" || status === "running";
}

export function isElsewhere({ from }: Pick<UpdateView, "from">): boolean {
  return from !== "page" && !from.endsWith(" (page)");
}

function isFiledElsewhere(update: UpdateView): boolean {
  return update.status === "done" && isElsewhere(update);
}
