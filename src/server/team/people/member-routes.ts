import { ExpectedError } from "../../../errors.ts";
import { inAudit, type Person } from "../../../team/people/people.ts";
import type { Grant } from "../../../team/rights/rights.ts";
import { parsePath, showPath } from "../../../vault/paths.ts";
import { checked, jsonBody } from "../../http/request.ts";
import { baseOf } from "../callers.ts";
import type { GuardedContext, GuardedHono } from "../guarded-app.ts";
import type { TeamAppOptions } from "../team-app.ts";
import { eventOf, ownedVault, type OpenedVault } from "./asked-vault.ts";
import { addAuditRoute } from "./audit-route.ts";
import {
  GrantBody,
  InviteBody,
  type GrantedAnswer,
  type InvitedAnswer,
  type TeamAnswer,
} from "./contract.ts";
import { invitationLink } from "./invitation-link.ts";
import { isoTime, noToken, personJson, tokenJson } from "./own-routes.ts";

const DAY = 86_400_000;

export type MemberRoutesOptions = Pick<TeamAppOptions, "team" | "now" | "publicUrl">;

/** How the owners of a vault say who may use it. Everything is looked up within the vault that was asked: nothing of another can be named. */
export function addMemberRoutes(app: GuardedHono, options: MemberRoutesOptions): void {
  const { team, now, publicUrl } = options;
  addAuditRoute(app, team);

  app.get("/v/:name/api/team", async (c) => {
    const vault = await ownedVault(c, team);
    const members = await team.members.list(vault.id);
    const ids = members.map(({ person }) => person.id);
    const seen = await team.audit.lastSeen(vault.name, ids);
    const names = new Map([[vault.id, vault.name]]);
    const held = await team.tokens.list(null, vault.id);
    return c.json({
      people: members.map(({ person, grants }) => ({
        person: personJson(person),
        isDisabled: person.disabled !== null,
        grants: grants.map(grantJson),
        lastSeen: seen.get(person.id)?.toISOString() ?? null,
      })),
      invitations: (await team.invitations.list(vault.id)).map((invitation) => ({
        ...invitation,
        created: isoTime(invitation.created),
        expires: isoTime(invitation.expires),
      })),
      tokens: held.flatMap((token) => {
        const of = members.find(({ person }) => person.id === token.person)?.person;
        if (of === undefined || token.revoked !== null) return [];
        return [{ ...tokenJson(token, names), person: { id: of.id, name: of.name } }];
      }),
    } satisfies TeamAnswer);
  });

  app.post("/v/:name/api/team/invitations", async (c) => {
    const vault = await ownedVault(c, team);
    const { role, email, days } = checked(
      InviteBody,
      await jsonBody(c.req.raw),
      'Send {"role": "editor"}',
    );
    const { person } = c.get("caller");
    const expires = new Date(now().getTime() + days * DAY);
    const { id, text } = await team.invitations.create({
      vault: vault.id,
      role,
      expires,
      ...(await invited(c, email ?? null)),
      ...(person === null ? {} : { invitedBy: person.id }),
    });
    await record(c, vault, "invited", [id]);
    const link = invitationLink(baseOf(c, publicUrl), text);
    return c.json({ id, link, expires: expires.toISOString() } satisfies InvitedAnswer, 201);
  });

  app.delete("/v/:name/api/team/invitations/:id", async (c) => {
    const vault = await ownedVault(c, team);
    const id = c.req.param("id");
    if (!(await team.invitations.revoke(id, vault.id)))
      throw new ExpectedError(
        "not_found",
        `This vault has no invitation ${JSON.stringify(id)} that can still be used.`,
      );
    await record(c, vault, "invitation revoked", [id]);
    return c.body(null, 204);
  });

  app.post("/v/:name/api/team/grants", async (c) => {
    const vault = await ownedVault(c, team);
    const form = 'Send {"person": "ID", "folder": "vault/hr", "role": "viewer"}';
    const { person: id, folder, role } = checked(GrantBody, await jsonBody(c.req.raw), form);
    const person = await granted(c, vault, id);
    const { path } = parsePath(folder);
    await team.grants.set(person.id, vault.id, path, role);
    const call = `granted ${role ?? "nothing"} to ${inAudit(person)}`;
    await record(c, vault, call, [showPath(path, "folder")]);
    const grants = await team.grants.list({ person: person.id, vault: vault.id });
    const isMissing = role !== null && !(await team.grants.hasFolder(vault.id, path));
    return c.json({
      grants: grants.map(grantJson),
      ...(isMissing ? { isMissing } : {}),
    } satisfies GrantedAnswer);
  });

  app.delete("/v/:name/api/team/people/:id", async (c) => {
    const vault = await ownedVault(c, team);
    const person = await team.members.get(vault.id, c.req.param("id"));
    await team.members.remove(vault.id, person.id);
    await record(c, vault, `removed ${inAudit(person)}`, []);
    return c.body(null, 204);
  });

  app.delete("/v/:name/api/team/tokens/:id", async (c) => {
    const vault = await ownedVault(c, team);
    const id = c.req.param("id");
    if (!(await team.tokens.revoke(id, { vault: vault.id }))) throw noToken(id);
    await record(c, vault, "token revoked", [id]);
    return c.body(null, 204);
  });

  /**
   * Whom an invitation is for. Only one of whoever runs the service lets somebody known in again, by their address: with such a link of an owner,
   * the owner could be that person, in every vault.
   */
  async function invited(
    c: GuardedContext,
    email: string | null,
  ): Promise<{ readonly person?: string; readonly email?: string }> {
    if (email === null) return {};
    const known = c.get("caller").kind === "operator" ? await team.people.find(email) : null;
    return known === null ? { email } : { person: known.id, email };
  }

  /** Owners give roles to those who have one already; others are invited. Whoever runs the service knows everybody. */
  async function granted(c: GuardedContext, { id }: OpenedVault, person: string): Promise<Person> {
    const isOperator = c.get("caller").kind === "operator";
    return isOperator ? team.people.get(person) : team.members.get(id, person);
  }

  async function record(
    c: GuardedContext,
    vault: OpenedVault,
    call: string,
    paths: readonly string[],
  ): Promise<void> {
    await team.audit.add(eventOf(c, vault, { call, paths }));
  }
}

function grantJson({ folder, role }: Grant): Grant {
  return { folder: showPath(folder, "folder"), role };
}
