import type { PresenceAnswer, PresenceBody } from "../../src/server/team/people/contract.ts";
import { BASE } from "../api/base.ts";
import { CLIENT, getJson, postJson } from "../api/request.ts";
import type { Services } from "../api/services.ts";
import { Store } from "../api/store.ts";

export type Present = PresenceAnswer["people"][number];

/** Who is in which note, as the service said it last. */
export const present = new Store<readonly Present[]>([]);

/** Milliseconds: the service forgets a window that was silent for three times as long. */
const REPEAT = 20_000;
/** Milliseconds: people come and go together when a replica restarts. */
const TOGETHER = 150;

const WINDOW = Array.from(window.crypto.getRandomValues(new Uint8Array(8)), (byte) =>
  byte.toString(16).padStart(2, "0"),
).join("");

/** Tells the service which note this window shows, and learns who else is in it. */
export function followPresence({
  access,
  live,
  router,
}: Pick<Services, "access" | "live" | "router">): void {
  const where = (): Pick<PresenceBody, "path" | "isEditing"> => {
    const { view, rest, query } = router.place.get();
    const isSeen = view === "file" && document.visibilityState === "visible";
    if (!isSeen) return { path: null };
    return { path: rest, isEditing: query.has("edit") && access.get().mayWrite(rest) };
  };
  let told = JSON.stringify({ path: null });
  let timer: number | undefined;
  const tell = async (): Promise<void> => {
    window.clearTimeout(timer);
    const here = where();
    if (here.path === null && told === JSON.stringify(here)) return;
    told = JSON.stringify(here);
    timer = window.setTimeout(() => void tell(), REPEAT);
    try {
      const body: PresenceBody = { ...here, window: WINDOW };
      const { people } = await postJson<PresenceAnswer>("/api/presence", body);
      if (told === JSON.stringify(here)) present.set(people);
    } catch {
      // Told again in a moment, or when the service is back.
    }
  };
  const tellNow = (): void => {
    if (JSON.stringify(where()) !== told) void tell();
  };
  let asking: number | undefined;
  live.subscribe(({ type }) => {
    if (type !== "presence" || where().path === null) return;
    window.clearTimeout(asking);
    asking = window.setTimeout(() => void look(), TOGETHER);
  });
  live.connection.subscribe(() => {
    if (live.connection.get() === "live") void tell();
  });
  router.place.subscribe(tellNow);
  access.subscribe(tellNow);
  document.addEventListener("visibilitychange", tellNow);
  window.addEventListener("pagehide", leave);
  tellNow();
}

async function look(): Promise<void> {
  try {
    present.set((await getJson<PresenceAnswer>("/api/presence")).people);
  } catch {
    // Told with the next answer.
  }
}

/** The window is closed: what is sent now outlives it. */
function leave(): void {
  const body: PresenceBody = { path: null, window: WINDOW };
  const headers = { ...CLIENT, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body), keepalive: true };
  fetch(`${BASE}/api/presence`, init).catch(() => {});
}
