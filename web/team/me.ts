import type { VaultMeAnswer } from "../../src/server/team/people/contract.ts";
import { NOTHING } from "../api/access.ts";
import { BASE } from "../api/base.ts";
import { refused } from "../api/problem.ts";
import type { Services } from "../api/services.ts";
import { Store } from "../api/store.ts";
import { accessOf } from "./access-of.ts";

/** Who the person at the page is for the vault, and what they may do; null until the service said so. */
export const me = new Store<VaultMeAnswer | null>(null);

/** Why the vault is not shown any more: the login ended, or somebody took the right to see it away. */
export const closed = new Store<"login" | "none" | null>(null);

/** Milliseconds: rights may differ without anything that tells of it. */
const REFRESH = 60_000;
/** Milliseconds: several refusals come together when rights are taken away. */
const TOGETHER = 100;

/** Loads who this is, and again whenever it may differ. */
export function followMe({ access, live }: Pick<Services, "access" | "live">): void {
  let timer: number | undefined;
  const load = async (): Promise<void> => {
    window.clearTimeout(timer);
    const answer = await ask();
    // A service that is away says nothing of rights.
    if (answer === "login" || answer === "none") {
      closed.set(answer);
      me.set(null);
      access.set(NOTHING);
      live.connection.set("shut-out");
    } else if (answer !== null) {
      if (JSON.stringify(answer) !== JSON.stringify(me.get())) {
        me.set(answer);
        access.set(accessOf(answer));
      }
      closed.set(null);
      if (live.connection.get() === "shut-out") live.connection.set("live");
    }
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void load(), REFRESH);
  };
  const soon = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void load(), TOGETHER);
  };
  void load();
  live.subscribe(({ type }) => {
    if (type === "resync") soon();
  });
  live.connection.subscribe(() => {
    const connection = live.connection.get();
    // Streams are closed when rights change; what changed is known from here.
    if (connection !== "shut-out" || closed.get() === null) soon();
  });
  refused.subscribe(() => {
    if (closed.get() === null) soon();
  });
}

async function ask(): Promise<VaultMeAnswer | "login" | "none" | null> {
  try {
    const response = await fetch(`${BASE}/api/me`);
    if (response.status === 401) return "login";
    if (response.status === 403 || response.status === 404) return "none";
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
