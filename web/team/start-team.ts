import type { Services } from "../api/services.ts";
import { followMe } from "./me.ts";
import { followPresence } from "./presence.ts";

/** What only the page of a team's vault does: it follows what its person may do, and who else is there. */
export function startTeam(services: Services): void {
  // Before it is needed: whoever is logged out gets no file any more.
  void import("./closed-view.tsx");
  followMe(services);
  followPresence(services);
}
