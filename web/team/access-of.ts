import type { VaultMeAnswer } from "../../src/server/team/people/contract.ts";
import type { Access } from "../api/access.ts";

/** Where updates wait that nobody has filed yet. */
const INBOX = "vault/inbox/";

/** What somebody may change, as the service says it of them: the role of the nearest folder counts. */
export function accessOf(me: VaultMeAnswer): Access {
  const mayWrite = (path: string): boolean => {
    const nearest = me.folders
      .filter(({ folder }) => path.startsWith(folder))
      .reduce<(typeof me.folders)[number] | null>(
        (found, each) => (each.folder.length > (found?.folder.length ?? 0) ? each : found),
        null,
      );
    if (nearest === null) return me.mayWrite;
    return nearest.role === "editor" || nearest.role === "owner";
  };
  return { mayWrite, mayAdd: mayWrite(INBOX), self: me.person?.name ?? "" };
}
