import { ExpectedError } from "../../../errors.ts";
import { invitationLink } from "../../../server/team/people/invitation-link.ts";
import type { Postgres } from "../../../storage/postgres/postgres.ts";
import { inAudit, type Person } from "../../../team/people/people.ts";
import type { Team } from "../../../team/people/team.ts";
import { isRole, SCOPES, type Role } from "../../../team/rights/rights.ts";
import { localTime } from "../../../text/local-time.ts";
import { parsePath, showPath } from "../../../vault/paths.ts";
import { findVaultRow, makeVaultRow } from "../../../vault/postgres/vault-row.ts";
import { UsageError, type CommandContext } from "../../table/command.ts";

const DAY = 86_400_000;

/** What was given, by name. */
export interface Given {
  readonly who: string | undefined;
  readonly vault: string | undefined;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly folder: string | undefined;
  readonly address: string;
  readonly days: number | undefined;
  readonly isReadOnly: boolean;
}

export interface TeamCommand extends Pick<CommandContext, "screen" | "now"> {
  readonly team: Team;
  readonly database: Postgres;
  readonly given: Given;
}

export async function makeOwner(command: TeamCommand): Promise<void> {
  const { team: everyone, database, given } = command;
  const email = whoOf(given);
  const vault = await makeVaultRow(database, vaultOf(given));
  const made = await database.transaction(async () => {
    const person = await everyone.firstOwner(vault.id, given.name ?? email, email);
    await record(command, [vault.name], `granted owner to ${inAudit(person)}`, ["vault/"]);
    return { person, link: await newLink(command, { vault, role: "owner", person: person.id }) };
  });
  await showLink(command, made.link, made.person);
}

export async function invite(command: TeamCommand): Promise<void> {
  const { database, given, team: everyone } = command;
  const role = roleOf(given.role ?? "viewer");
  if (role === "none")
    throw new UsageError("--role is what they will be: viewer, editor or owner.");
  const vault = await findVaultRow(database, vaultOf(given));
  const email = whoOf(given);
  // Whoever reaches the database may let somebody known in again, who has lost their login or was shut out.
  const person = await everyone.people.find(email);
  const whom = person === null ? { email } : { person: person.id };
  const link = await database.transaction(async () => newLink(command, { vault, role, ...whom }));
  await showLink(command, link, person);
}

interface NewLink {
  readonly id: string;
  readonly text: string;
  readonly expires: Date;
}

async function newLink(
  command: TeamCommand,
  invitation: {
    readonly vault: { readonly id: number; readonly name: string };
    readonly role: Exclude<Role, "none">;
    readonly person?: string;
    readonly email?: string;
  },
): Promise<NewLink> {
  const { team: everyone, given, now } = command;
  const { vault, ...whom } = invitation;
  const expires = new Date(now().getTime() + (given.days ?? 7) * DAY);
  const made = await everyone.invitations.create({ ...whom, vault: vault.id, expires });
  await record(command, [vault.name], "invited", [made.id]);
  return { ...made, expires };
}

/** @param person whom it lets in, when they are known */
async function showLink(
  { team: everyone, given, screen }: TeamCommand,
  { id, text, expires }: NewLink,
  person: Person | null,
): Promise<void> {
  const address = invitationLink(given.address, text);
  const isShutOut = person !== null && person.disabled !== null;
  const grants = isShutOut ? await everyone.grants.list({ person: person.id }) : [];
  screen.show({ id, link: address, expires: expires.toISOString() }, () =>
    [
      "The link lets one person in, once. It is not shown again:",
      `  ${address}`,
      `It ends on ${localTime(expires)}. Take it back with: coffre team revoke ${id}`,
      ...(isShutOut
        ? [
            `${person.name} was shut out. Who uses the link is let in again, with all that they could do before:`,
            ...grants.map(
              (each) => `  ${each.vault}:${showPath(each.folder, "folder")} ${each.role}`,
            ),
          ]
        : []),
    ].join("\n"),
  );
}

export async function makeToken(command: TeamCommand): Promise<void> {
  const { team: everyone, database, given, screen, now } = command;
  const person = await everyone.people.get(whoOf(given));
  if (given.name === undefined) throw new UsageError("--name is missing: what the token is for.");
  if (person.disabled !== null)
    throw new ExpectedError(
      "conflict",
      `${person.name} was shut out, so no token of theirs is valid. Let them in again first: coffre team invite.`,
    );
  const { name } = given;
  const vault = given.vault === undefined ? null : await findVaultRow(database, given.vault);
  const { text, token } = await database.transaction(async () => {
    const made = await everyone.tokens.create({
      person: person.id,
      name,
      scopes: given.isReadOnly ? ["vault:read"] : SCOPES,
      expires: new Date(now().getTime() + (given.days ?? 90) * DAY),
      ...(vault === null ? {} : { vault: vault.id }),
      ...(given.folder === undefined ? {} : { folder: given.folder }),
    });
    // Owners are shown that somebody may act for another of their vault, whichever vaults the token is for.
    const vaults = vault === null ? await vaultsWith(everyone, person) : [vault.name];
    await record(command, vaults, `token made for ${inAudit(person)}`, [made.token.id]);
    return made;
  });
  screen.show({ token: text, id: token.id, expires: new Date(token.expires).toISOString() }, () =>
    [
      "The token is not shown again:",
      `  ${text}`,
      `It ends on ${localTime(new Date(token.expires))}. Take it back with: coffre team revoke ${token.id}`,
    ].join("\n"),
  );
}

export async function grant(command: TeamCommand): Promise<void> {
  const { team: everyone, database, given, screen } = command;
  const person = await everyone.people.get(whoOf(given));
  if (given.role === undefined)
    throw new UsageError("--role is missing: none, viewer, editor or owner.");
  const vault = await findVaultRow(database, vaultOf(given));
  const [folder, role] = [given.folder ?? "", roleOf(given.role)];
  await database.transaction(async () => {
    await everyone.grants.set(person.id, vault.id, folder, role);
    await record(command, [vault.name], `granted ${role} to ${inAudit(person)}`, [
      shownFolder(folder),
    ]);
  });
  const grants = await everyone.grants.list({ person: person.id, vault: vault.id });
  const shown = grants.map((each) => ({ folder: each.folder, role: each.role }));
  const isMissing = folder !== "" && !(await everyone.grants.hasFolder(vault.id, folder));
  screen.show({ person: person.id, grants: shown, ...(isMissing ? { isMissing } : {}) }, () =>
    [
      `${person.name} may do this:`,
      ...grants.map((each) => `  ${vault.name}:${showPath(each.folder, "folder")} ${each.role}`),
      ...(isMissing
        ? [`No folder is called ${shownFolder(folder)} yet: the role counts once there is one.`]
        : []),
    ].join("\n"),
  );
}

/** From now on; what the history and the audit have of before keeps the name of then. */
export async function rename(command: TeamCommand): Promise<void> {
  const { team: everyone, database, given, screen } = command;
  const person = await everyone.people.get(whoOf(given));
  if (given.name === undefined)
    throw new UsageError("--name is missing: what they are to be called.");
  const { name } = given;
  const renamed = await database.transaction(async () => {
    await record(command, await vaultsWith(everyone, person), `renamed ${inAudit(person)}`, []);
    return everyone.people.rename(person.id, name);
  });
  const { id, name: now } = renamed;
  screen.show({ person: id, name: now }, () => `${person.name} is called ${now} now.`);
}

/** Ends all logins of a person, and leaves their tokens and rights: for a telephone that was lost. */
export async function logOut(command: TeamCommand): Promise<void> {
  const { team: everyone, database, given, screen } = command;
  const person = await everyone.people.get(whoOf(given));
  await database.transaction(async () => {
    const vaults = await vaultsWith(everyone, person);
    await record(command, vaults, `logged out ${inAudit(person)}`, []);
    await everyone.sessions.endAll(person.id);
  });
  screen.show(
    { person: person.id },
    () => `${person.name} is logged out everywhere. Their tokens stay.`,
  );
}

/** A person with all they hold, a token or an invitation; with a vault, only what a person has of that; with a folder, only their role there. */
export async function revoke(command: TeamCommand): Promise<void> {
  const { team: everyone, database, given, screen } = command;
  const who = whoOf(given);
  const person = await everyone.people.find(who);
  const ownerless = await database.transaction(async () => {
    if (person === null) {
      await revokeSecret(command, who);
      return [];
    }
    if (given.vault !== undefined) {
      await removeFrom(command, person, given.vault);
      return [];
    }
    await record(command, await vaultsWith(everyone, person), `shut out ${inAudit(person)}`, []);
    return everyone.shutOut(person.id);
  });
  screen.show({ revoked: who, ...(ownerless.length === 0 ? {} : { ownerless }) }, () =>
    [
      `Revoked: ${who}.`,
      ...ownerless.map(
        (name) =>
          `Nobody owns the vault ${name} any more. Make an owner with: coffre team owner EMAIL --in ${name}`,
      ),
    ].join("\n"),
  );
}

async function removeFrom(command: TeamCommand, person: Person, name: string): Promise<void> {
  const { team: everyone, database, given } = command;
  const vault = await findVaultRow(database, name);
  if (given.folder === undefined) {
    await everyone.members.remove(vault.id, person.id);
    await record(command, [vault.name], `removed ${inAudit(person)}`, []);
    return;
  }
  await everyone.grants.set(person.id, vault.id, given.folder, null);
  const place = [shownFolder(given.folder)];
  await record(command, [vault.name], `granted nothing to ${inAudit(person)}`, place);
}

async function revokeSecret(command: TeamCommand, id: string): Promise<void> {
  const { team: everyone } = command;
  const token = (await everyone.tokens.list(null)).find((each) => each.id === id);
  if (token !== undefined && (await everyone.tokens.revoke(id))) {
    const whose = await everyone.people.get(token.person);
    await record(command, await vaultsWith(everyone, whose), "token revoked", [id]);
    return;
  }
  const vault = await everyone.invitations.vaultOf(id);
  if (vault !== null && (await everyone.invitations.revoke(id))) {
    await record(command, [vault], "invitation revoked", [id]);
    return;
  }
  throw new ExpectedError(
    "not_found",
    `${JSON.stringify(id)} is no person, and no token or invitation that is still valid. List them with: coffre team people.`,
  );
}

async function vaultsWith({ grants }: Team, { id }: Person): Promise<string[]> {
  return [...new Set((await grants.list({ person: id })).map(({ vault }) => vault))];
}

/** In the audit of each of these vaults, or of none, as the calls of owners are: with the change, or not at all. */
async function record(
  { team: { audit } }: TeamCommand,
  vaults: readonly string[],
  call: string,
  paths: readonly string[],
): Promise<void> {
  const by = { person: null, credential: "operator", client: "coffre team" };
  const event = { ...by, call, paths, batch: null, address: null, outcome: "done" };
  for (const vault of vaults.length === 0 ? [null] : vaults) await audit.add({ ...event, vault });
}

function shownFolder(folder: string): string {
  return showPath(folder === "" ? "" : parsePath(folder).path, "folder");
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
