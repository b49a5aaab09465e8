import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

import { ExpectedError } from "../../../errors.ts";
import type { AuditEvent } from "../../../team/audit/audit-log.ts";
import type { Person } from "../../../team/people/people.ts";
import type { Team } from "../../../team/people/team.ts";
import { Rights } from "../../../team/rights/rights.ts";
import { noVault } from "../../../vault/postgres/vault-row.ts";
import { CALLERS, clientOf } from "../../http/request.ts";
import type { TeamCaller } from "../callers.ts";
import type { GuardedContext } from "../guarded-app.ts";

/** What runs the service may do everything. */
export const OPERATOR = new Rights([{ folder: "", role: "owner" }]);

/** The vault that a request asks, and what its caller may do there. */
export interface OpenedVault {
  readonly id: number;
  readonly name: string;
  readonly rights: Rights;
}

/** Throws `not_found` for a vault that the caller sees nothing of, as for one that does not exist. */
export async function vaultOf(c: GuardedContext, team: Team): Promise<OpenedVault> {
  const asked = c.get("vault");
  if (asked === null || asked.id === null) throw noVault(asked?.name ?? "");
  const rights = await rightsOf(c.get("caller"), asked.id, team);
  if (!rights.seesSomething) throw noVault(asked.name);
  return { id: asked.id, name: asked.name, rights };
}

/** The same for what only owners may do. */
export async function ownedVault(c: GuardedContext, team: Team): Promise<OpenedVault> {
  const vault = await vaultOf(c, team);
  if (vault.rights.isOwner) return vault;
  throw new ExpectedError("no_permission", "Only an owner of the vault may do that.");
}

async function rightsOf(caller: TeamCaller, vault: number, team: Team): Promise<Rights> {
  if (caller.kind === "operator") return OPERATOR;
  return team.grants.rights(caller.person.id, vault, [caller.limit]);
}

/** What is said of a change in the audit. */
export function eventOf(
  c: GuardedContext,
  vault: Pick<OpenedVault, "name"> | null,
  { call, paths = [] }: { readonly call: string; readonly paths?: readonly string[] },
): AuditEvent {
  const { person, credential, voice } = c.get("caller");
  const client = clientOf(c.req.raw, voice === "person" ? CALLERS.page : CALLERS.http);
  return { ...common(c, person), vault: vault?.name ?? null, credential, client, call, paths };
}

/** The same of somebody who comes in. */
export function eventOfLogin(
  c: Context,
  person: Person,
  { call, vault }: { readonly call: string; readonly vault: string | null },
): AuditEvent {
  const client = CALLERS.page;
  return { ...common(c, person), vault, credential: null, client, call, paths: [] };
}

function common(
  c: Context,
  person: Person | null,
): Pick<AuditEvent, "person" | "batch" | "address" | "outcome"> {
  const by = person === null ? null : { id: person.id, name: person.name };
  const address = getConnInfo(c).remote.address ?? null;
  return { person: by, batch: null, address, outcome: "done" };
}
