import type { ListedGrant } from "../../../team/people/grants.ts";
import type { OpenInvitation } from "../../../team/people/invitations.ts";
import type { Person } from "../../../team/people/people.ts";
import type { Token } from "../../../team/people/tokens.ts";
import { localTime } from "../../../text/local-time.ts";
import { showPath } from "../../../vault/paths.ts";
import { findVaultRow, vaultNames } from "../../../vault/postgres/vault-row.ts";
import type { TeamCommand } from "./team-changes.ts";

interface ListedPerson extends Person {
  readonly grants: readonly Pick<ListedGrant, "vault" | "folder" | "role">[];
  readonly tokens: readonly Token[];
  /** Their last call to any vault, in ISO; null for none. */
  readonly lastSeen: string | null;
}

interface ListedVault {
  readonly name: string;
  /** Whether anybody has a role in it. */
  readonly isUsed: boolean;
  /** Those that can still be used. */
  readonly invitations: readonly OpenInvitation[];
}

/** Everybody with what they may do and hold; then the vaults, with the invitations that are open. */
export async function listPeople(command: TeamCommand): Promise<void> {
  const { people, grants, tokens } = command.team;
  const [all, given, held] = [await people.all(), await grants.list({}), await tokens.list(null)];
  const names = await vaultNames(command.database);
  const seen = await lastSeen(command, all, names);
  const listed: ListedPerson[] = all.map((person) => ({
    ...person,
    grants: given
      .filter((each) => each.person === person.id)
      .map(({ vault, folder, role }) => ({ vault, folder, role })),
    tokens: held.filter((each) => each.person === person.id && each.revoked === null),
    lastSeen: seen.get(person.id)?.toISOString() ?? null,
  }));
  const vaults: ListedVault[] = [];
  for (const name of names) {
    const { id } = await findVaultRow(command.database, name);
    vaults.push({
      name,
      isUsed: given.some(({ vault }) => vault === name),
      invitations: await command.team.invitations.list(id),
    });
  }
  command.screen.show({ people: listed, vaults }, () =>
    [
      ...(listed.length === 0
        ? [
            "Nobody is there yet. Make the first owner with: coffre team owner EMAIL --name NAME --in VAULT",
          ]
        : listed.map(personLines)),
      ...vaults
        .filter(({ isUsed, invitations }) => !isUsed || invitations.length > 0)
        .map(vaultLines),
    ].join("\n"),
  );
}

async function lastSeen(
  { team: { audit } }: TeamCommand,
  people: readonly Person[],
  vaults: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const ids = people.map(({ id }) => id);
  const latest = new Map<string, Date>();
  for (const vault of vaults)
    for (const [id, at] of await audit.lastSeen(vault, ids))
      if (at > (latest.get(id) ?? new Date(0))) latest.set(id, at);
  return latest;
}

function personLines(person: ListedPerson): string {
  const { id, name, email, disabled, grants, tokens, lastSeen: seen } = person;
  const isOut = disabled === null ? "" : " · disabled";
  return [
    `${name} · ${email ?? id}${isOut}`,
    ...(seen === null ? [] : [`  last seen ${localTime(new Date(seen))}`]),
    ...grants.map(({ vault, folder, role }) => `  ${vault}:${showPath(folder, "folder")} ${role}`),
    ...tokens.map(
      (each) => `  token ${each.id} ${each.name} · ${localTime(new Date(each.expires))}`,
    ),
  ].join("\n");
}

function vaultLines({ name, isUsed, invitations }: ListedVault): string {
  return [
    `${name}:vault/${isUsed ? "" : " · nobody has a role here"}`,
    ...invitations.map(({ id, role, email, person, expires }) => {
      const whom = person?.name ?? email;
      return `  invitation ${id} ${role}${whom === null ? "" : ` ${whom}`} · ${localTime(new Date(expires))}`;
    }),
  ].join("\n");
}
