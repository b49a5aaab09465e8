import type { UpdateView } from "../../src/server/api/agent-contract.ts";
import type { LiveEvents } from "../api/live-events.ts";
import { getJson, postJson } from "../api/request.ts";
import { Store } from "../api/store.ts";

/** The updates that were handed over while this page was open, and those that were still under way when it was opened. */
export class UpdatesModel {
  /** The newest first. */
  readonly shown = new Store<readonly UpdateView[]>([]);
  /** How often each was asked for: of two answers under way at once, only that to the later question is believed. */
  readonly #asked = new Map<string, number>();

  constructor(live: LiveEvents) {
    live.subscribe((event) => {
      if (event.type === "resync") void this.start();
      // Those asked for count too: what an update does may be told before the first answer is here.
      const isOurs = event.type === "update" && (this.#has(event.id) || this.#asked.has(event.id));
      if (isOurs) void this.#load(event.id);
    });
  }

  async start(): Promise<void> {
    try {
      const { updates } = await getJson<{ updates: readonly UpdateView[] }>("/api/updates");
      for (const update of updates.toReversed()) {
        if (this.#has(update.id) || isUnderWay(update)) this.#put(update);
      }
    } catch {
      // A service without agents has none; one that is away is asked again when it is back.
    }
  }

  /** Shows an update from now on. */
  async follow(id: string): Promise<void> {
    await this.#load(id);
  }

  async cancel(id: string): Promise<void> {
    this.#put(await postJson<UpdateView>(`/api/updates/${id}/cancel`, {}));
  }

  async retry(id: string): Promise<void> {
    this.#put(await postJson<UpdateView>(`/api/updates/${id}/retry`, {}));
  }

  dismiss(id: string): void {
    this.#asked.delete(id);
    this.shown.set(this.shown.get().filter((update) => update.id !== id));
  }

  #has(id: string): boolean {
    return this.shown.get().some((update) => update.id === id);
  }

  async #load(id: string): Promise<void> {
    const question = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.set(id, question);
    try {
      const update = await getJson<UpdateView>(`/api/updates/${encodeURIComponent(id)}`);
      if (this.#asked.get(id) === question) this.#put(update);
    } catch {
      // Heard of again at its next step, or when the service is back.
    }
  }

  #put(update: UpdateView): void {
    const known = this.shown.get();
    this.shown.set(
      this.#has(update.id)
        ? known.map((each) => (each.id === update.id ? update : each))
        : [update, ...known],
    );
  }
}

export function isUnderWay({ status }: Pick<UpdateView, "status">): boolean {
  return status === "waiting" || status === "running";
}
