import { nonEmpty } from "../../../config.ts";
import { ExpectedError } from "../../../errors.ts";
import { openPostgres, type Postgres } from "../../../storage/postgres/postgres.ts";
import type { AuditQuery } from "../../../team/audit/audit-log.ts";
import { invitationLink } from "../../../server/team/people/invitation-link.ts";
import { Team } from "../../../team/people/team.ts";
import { isRole, ROLES, SCOPES, type Role } from "../../../team/rights/rights.ts";
import { localTime } from "../../../text/local-time.ts";
import { showPath } from "../../../vault/paths.ts";
import { findVaultRow, makeVaultRow } from "../../../vault/postgres/vault-row.ts";
import { databaseOption, databaseUrl } from "../../vault/team-database.ts";
import { arg, defineCommand, UsageError, type CommandContext } from "../../table/command.ts";

const DAY = 86_400_000;
const ACTIONS = ["people", "owner", "invite", "token", "grant", "revoke", "audit"] as const;

/** What was given, by name. */
interface Given {
  readonly who: string | undefined;
  readonly vault: string | undefined;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly folder: string | undefined;
  readonly address: string;
  readonly days: number | undefined;
  readonly isReadOnly: boolean;
}

interface Open extends Pick<CommandContext, "screen" | "now"> {
  readonly team: Team;
  readonly database: Postgres;
  readonly given: Given;
}

export const team = defineCommand({
  name: "team",
  summary: "Say who may use the vaults of a database: people, invitations, tokens, rights",
  positionals: {
    action: arg.text("ACTION", "people (default), owner, invite, token, grant, revoke or audit", {
      choices: ACTIONS,
    }),
    who: arg.text(
      "WHO",
      "A person's id or e-mail address; for revoke also the id of a token or an invitation",
    ),
  },
  options: {
    database: databaseOption,
    in: arg.text("VAULT", "The name of a vault in the database"),
    name: arg.text("NAME", "What a person or a token is called"),
    role: arg.text("ROLE", "What they may do: none, viewer, editor or owner", { choices: ROLES }),
    folder: arg.text("PATH", "Only this folder of the vault"),
    days: arg.number(
      "N",
      "Days until it ends (invitation: 7, token: 90); of the audit, how far back",
    ),
    address: arg.text(
      "URL",
      "Where browsers reach the service, for the link of an invitation (else $COFFRE_PUBLIC_URL, else http://127.0.0.1:4117)",
    ),
    "read-only": arg.flag("A token that can look and not change"),
  },
  usage: "[people] | owner EMAIL | invite EMAIL | token WHO | grant WHO | revoke WHO | audit",
  details:
    "Whoever can reach the database can do this: it is how the first owner of a vault is made. Tokens and links are shown once. From their next call on, people have what is stored here. Whoever holds the token of the service itself may do everything in every vault.",
  examples: [
    "coffre team owner ada@example.org --name Ada --in notes --database postgres://localhost/coffre",
    "coffre team invite bob@example.org --in notes --role editor --database postgres://localhost/coffre",
    "coffre team grant bob@example.org --in notes --folder hr --role none --database postgres://localhost/coffre",
  ],
  run: async (input, { screen, now, environment }) => {
    const url = databaseUrl(input.text("database"), { environment });
    if (url === undefined)
      throw new UsageError("--database URL is missing: which database to use.");
    const database = await openPostgres({ url, connections: 2 });
    const given: Given = {
      who: input.text("who"),
      vault: input.text("in"),
      name: input.text("name"),
      role: input.text("role"),
      folder: input.text("folder"),
      address:
        input.text("address") ??
        nonEmpty(environment["COFFRE_PUBLIC_URL"]) ??
        "http://127.0.0.1:4117",
      days: input.number("days"),
      isReadOnly: input.flag("read-only"),
    };
    try {
      const open = { team: new Team(database, now), database, given, screen, now };
      await RUN[input.text("action") ?? "people"]?.(open);
    } finally {
      await database.close();
    }
  },
});

const RUN: Readonly<Record<string, (open: Open) => Promise<void>>> = {
  people: listPeople,
  owner: makeOwner,
  invite,
  token: makeToken,
  grant,
  revoke,
  audit: showAudit,
};

async function listPeople({ team: { people, grants, tokens }, screen }: Open): Promise<void> {
  const [all, given, held] = [await people.all(), await grants.list({}), await tokens.list(null)];
  const listed = all.map((person) => ({
    ...person,
    grants: given
      .filter((each) => each.person === person.id)
      .map(({ vault, folder, role }) => ({ vault, folder, role })),
    tokens: held.filter((each) => each.person === person.id && each.revoked === null),
  }));
  screen.show({ people: listed }, () =>
    listed.length === 0
      ? "Nobody is there yet. Make the first owner with: coffre team owner EMAIL --name NAME --in VAULT"
      : listed.map(personLines).join("\n"),
  );
}

function personLines(person: {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly disabled: number | null;
  readonly grants: readonly {
    readonly vault: string;
    readonly folder: string;
    readonly role: Role;
  }[];
  readonly tokens: readonly {
    readonly id: string;
    readonly name: string;
    readonly expires: number;
  }[];
}): string {
  const { id, name, email, disabled, grants, tokens } = person;
  return [
    `${name} · ${email ?? id}${disabled === null ? "" : " · disabled"}`,
    ...grants.map(({ vault, folder, role }) => `  ${vault}:${showPath(folder, "folder")} ${role}`),
    ...tokens.map(
      (each) => `  token ${each.id} ${each.name} · ${localTime(new Date(each.expires))}`,
    ),
  ].join("\n");
}

async function makeOwner(open: Open): Promise<void> {
  const { team: everyone, database, given } = open;
  const email = whoOf(given);
  const vault = await makeVaultRow(database, vaultOf(given));
  const person = await everyone.firstOwner(vault.id, given.name ?? email, email);
  await link(open, { vault: vault.id, role: "owner", person: person.id });
}

async function invite(open: Open): Promise<void> {
  const { database, given, team: everyone } = open;
  const role = roleOf(given.role ?? "viewer");
  if (role === "none")
    throw new UsageError("--role is what they will be: viewer, editor or owner.");
  const vault = await findVaultRow(database, vaultOf(given));
  const email = whoOf(given);
  // Whoever reaches the database may let somebody known in again, who has lost their login.
  const person = await everyone.people.find(email);
  await link(open, {
    vault: vault.id,
    role,
    ...(person === null ? { email } : { person: person.id }),
  });
}

async function link(
  { team: { invitations }, given, screen, now }: Open,
  invitation: { vault: number; role: Exclude<Role, "none">; person?: string; email?: string },
): Promise<void> {
  const expires = new Date(now().getTime() + (given.days ?? 7) * DAY);
  const { id, text } = await invitations.create({ ...invitation, expires });
  const address = invitationLink(given.address, text);
  screen.show({ id, link: address, expires: expires.toISOString() }, () =>
    [
      "The link lets one person in, once. It is not shown again:",
      `  ${address}`,
      `It ends on ${localTime(expires)}. Take it back with: coffre team revoke ${id}`,
    ].join("\n"),
  );
}

async function makeToken({ team: everyone, database, given, screen, now }: Open): Promise<void> {
  const person = await everyone.people.get(whoOf(given));
  if (given.name === undefined) throw new UsageError("--name is missing: what the token is for.");
  const vault = given.vault === undefined ? null : await findVaultRow(database, given.vault);
  const { text, token } = await everyone.tokens.create({
    person: person.id,
    name: given.name,
    scopes: given.isReadOnly ? ["vault:read"] : SCOPES,
    expires: new Date(now().getTime() + (given.days ?? 90) * DAY),
    ...(vault === null ? {} : { vault: vault.id }),
    ...(given.folder === undefined ? {} : { folder: given.folder }),
  });
  screen.show({ token: text, id: token.id, expires: new Date(token.expires).toISOString() }, () =>
    [
      "The token is not shown again:",
      `  ${text}`,
      `It ends on ${localTime(new Date(token.expires))}. Take it back with: coffre team revoke ${token.id}`,
    ].join("\n"),
  );
}

async function grant({ team: everyone, database, given, screen }: Open): Promise<void> {
  const person = await everyone.people.get(whoOf(given));
  if (given.role === undefined)
    throw new UsageError("--role is missing: none, viewer, editor or owner.");
  const vault = await findVaultRow(database, vaultOf(given));
  await everyone.grants.set(person.id, vault.id, given.folder ?? "", roleOf(given.role));
  const grants = await everyone.grants.list({ person: person.id, vault: vault.id });
  screen.show({ person: person.id, grants }, () =>
    [
      `${person.name} may do this:`,
      ...grants.map(({ folder, role }) => `  ${vault.name}:${showPath(folder, "folder")} ${role}`),
    ].join("\n"),
  );
}

/** A person with all they hold, a token or an invitation; with a vault, only a person's rights to that. */
async function revoke({ team: everyone, database, given, screen }: Open): Promise<void> {
  const who = whoOf(given);
  const person = await everyone.people.find(who);
  if (person !== null && given.vault !== undefined) {
    const vault = await findVaultRow(database, given.vault);
    await everyone.grants.set(person.id, vault.id, given.folder ?? "", null);
  } else if (person !== null) await everyone.people.disable(person.id, true);
  else if (!(await everyone.tokens.revoke(who)) && !(await everyone.invitations.revoke(who)))
    throw new ExpectedError(
      "not_found",
      `${JSON.stringify(who)} is no person, and no token or invitation that is still valid. List them with: coffre team people.`,
    );
  screen.show({ revoked: who }, () => `Revoked: ${who}.`);
}

async function showAudit({ team: everyone, given, screen, now }: Open): Promise<void> {
  const person = given.who === undefined ? null : await everyone.people.get(given.who);
  const query: Omit<AuditQuery, "limit"> = {
    ...(given.vault === undefined ? {} : { vault: given.vault }),
    ...(person === null ? {} : { person: person.id }),
    ...(given.days === undefined ? {} : { since: new Date(now().getTime() - given.days * DAY) }),
  };
  if (screen.json) {
    for await (const line of everyone.audit.export(query)) screen.print(line);
    return;
  }
  const rows = await everyone.audit.list({ ...query, limit: 100 });
  const lines = rows.map(({ at, person: by, client, call, paths, address, outcome }) =>
    [localTime(at), by?.name ?? "-", client ?? "-", call, paths.join(" "), address ?? "-", outcome]
      .filter((part) => part !== "")
      .join(" · "),
  );
  screen.print(lines.length === 0 ? screen.translate("Nothing was recorded.") : lines.join("\n"));
}

function whoOf({ who }: Given): string {
  if (who === undefined) throw new UsageError("WHO is missing: an e-mail address or an id.");
  return who;
}

function vaultOf({ vault }: Given): string {
  if (vault === undefined) throw new UsageError("--in VAULT is missing: the name of the vault.");
  return vault;
}

function roleOf(text: string): Role {
  return isRole(text) ? text : "none";
}
