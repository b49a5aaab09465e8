import type { VaultMeAnswer } from "../../src/server/team/people/contract.ts";
import type { Access } from "../api/access.ts";

/** What somebody may change, as the service says it of them: the role of the nearest folder counts. */
export function accessOf(me: VaultMeAnswer): Access {
  const mayWrite = (path: string): boolean => {
    const nearest = me.folders
      .filter(({ folder }) => path.startsWith(folder))
      .reduce<(typeof me.folders)[number] | null>(
        (found, each) => (each.folder.length > (found?.folder.length ?? 0) ? each : found),
        null,
      );
    return nearest === null ? me.mayWrite : writes(nearest.role);
  };
  const mayAdd = me.mayWrite || me.folders.some(({ role }) => writes(role));
  return { mayWrite, mayAdd, self: me.person?.name ?? "" };
}

function writes(role: VaultMeAnswer["role"]): boolean {
  return role === "editor" || role === "owner";
}
