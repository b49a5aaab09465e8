import type { Services } from "../api/services.ts";
import { draftKeys } from "../editor/draft-keys.ts";

/** Sends what was written in notes and not saved, whenever the service is there: at the start, and when it is back. */
export function sendDrafts({ live, router }: Pick<Services, "live" | "router">): void {
  live.connection.subscribe(() => {
    if (live.connection.get() !== "live" || draftKeys(window.localStorage).length === 0) return;
    void send({ router });
  });
}

async function send(services: Pick<Services, "router">): Promise<void> {
  try {
    const { offerLeft } = await import("../editor/left-drafts.ts");
    await offerLeft(services);
  } catch {
    // The service went away again: they are sent when it is back.
  }
}
