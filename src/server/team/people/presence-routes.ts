import type { Place, Presence } from "../../../team/people/presence.ts";
import { parsePath, showPath, type VaultPath } from "../../../vault/paths.ts";
import { checked, jsonBody } from "../../http/request.ts";
import type { GuardedContext, GuardedHono } from "../guarded-app.ts";
import type { TeamAppOptions } from "../team-app.ts";
import { vaultOf, type OpenedVault } from "./asked-vault.ts";
import { PresenceBody, type PresenceAnswer } from "./contract.ts";

export type PresenceRoutesOptions = Pick<TeamAppOptions, "team"> & { readonly presence: Presence };

/** Who is in which note right now. */
export function addPresenceRoutes(
  app: GuardedHono,
  { team, presence }: PresenceRoutesOptions,
): void {
  app.get("/v/:name/api/presence", async (c) => c.json(await shown(c, await vaultOf(c, team))));

  app.post("/v/:name/api/presence", async (c) => {
    const vault = await vaultOf(c, team);
    const form = 'Send {"path": "vault/roof.md", "isEditing": true}';
    const {
      path: given,
      isEditing,
      window,
    } = checked(PresenceBody, await jsonBody(c.req.raw), form);
    const path = given === null ? null : parsePath(given).path;
    const { person } = c.get("caller");
    if (person !== null) await place(vault, { person: person.id, window, path, isEditing });
    return c.json(await shown(c, vault));
  });

  /** What somebody may not read is to them as a note that is not there: nobody is shown in it, and that is not said. */
  async function place(
    { id, rights }: OpenedVault,
    { path, isEditing, ...who }: Omit<Place, "path"> & { readonly path: VaultPath | null },
  ): Promise<void> {
    if (path === null || !rights.mayRead(path)) await presence.leave(id, who.person, who.window);
    else await presence.enter(id, { ...who, path, isEditing: isEditing && rights.mayWrite(path) });
  }

  async function shown(c: GuardedContext, { id, rights }: OpenedVault): Promise<PresenceAnswer> {
    const self = c.get("caller").person?.id;
    const people = (await presence.list(id)).filter(({ path }) => rights.mayRead(path));
    return {
      people: people.map(({ person, name, path, isEditing }) => ({
        person: { id: person, name },
        isSelf: person === self,
        path: showPath(path),
        isEditing,
      })),
    };
  }
}
