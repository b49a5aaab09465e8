import { ExpectedError } from "../../../errors.ts";
import type { AuditEvent } from "../../../team/audit/audit-log.ts";
import type { Person } from "../../../team/people/people.ts";
import type { Team } from "../../../team/people/team.ts";
import type { Rights } from "../../../team/rights/rights.ts";
import { noVault } from "../../../vault/postgres/vault-row.ts";
import { CALLERS, clientOf } from "../../http/request.ts";
import { rightsOf } from "../callers.ts";
import type { GuardedContext } from "../guarded-app.ts";

/** The vault that a request asks, and what its caller may do there. */
export interface OpenedVault {
  readonly id: number;
  readonly name: string;
  readonly rights: Rights;
}

/** Throws `not_found` for a vault that the caller sees nothing of, as for one that does not exist. */
export async function vaultOf(c: GuardedContext, team: Team): Promise<OpenedVault> {
  const asked = c.get("vault");
  const rights = asked === null ? null : await rightsOf(team, c.get("caller"), asked);
  if (asked === null || asked.id === null || rights === null) throw noVault(asked?.name ?? "");
  return { id: asked.id, name: asked.name, rights };
}

/** The same for what only owners may do. */
export async function ownedVault(c: GuardedContext, team: Team): Promise<OpenedVault> {
  const vault = await vaultOf(c, team);
  if (vault.rights.isOwner) return vault;
  const event = eventOf(c, vault, { call: `${c.req.method} /api/team` });
  await team.audit.add({ ...event, outcome: "no_permission" });
  throw new ExpectedError("no_permission", "Only an owner of the vault may do that.");
}

/** What is said of a change in the audit. */
export function eventOf(
  c: GuardedContext,
  vault: Pick<OpenedVault, "name"> | null,
  { call, paths = [] }: { readonly call: string; readonly paths?: readonly string[] },
): AuditEvent {
  const { person, credential, voice } = c.get("caller");
  const client = clientOf(c.req.raw, voice === "person" ? CALLERS.page : CALLERS.http);
  return {
    ...common(person, c.get("sender")),
    vault: vault?.name ?? null,
    credential,
    client,
    call,
    paths,
  };
}

/** The same of somebody who comes in. */
export function eventOfLogin(
  person: Person,
  {
    sender,
    call,
    vault,
  }: { readonly sender: string | null; readonly call: string; readonly vault: string | null },
): AuditEvent {
  const client = CALLERS.page;
  return { ...common(person, sender), vault, credential: null, client, call, paths: [] };
}

function common(
  person: Person | null,
  address: string | null,
): Pick<AuditEvent, "person" | "batch" | "address" | "outcome"> {
  const by = person === null ? null : { id: person.id, name: person.name };
  return { person: by, batch: null, address, outcome: "done" };
}
