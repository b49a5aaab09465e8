import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { AuditLog } from "../audit/audit-log.ts";
import { Grants } from "./grants.ts";
import { Invitations } from "./invitations.ts";
import { Members } from "./members.ts";
import { isName, People, type Identity, type Person } from "./people.ts";
import { Sessions, type SessionTimes } from "./sessions.ts";
import { Tokens } from "./tokens.ts";

/** All that is kept of people in a database. */
export class Team {
  readonly people: People;
  readonly tokens: Tokens;
  readonly grants: Grants;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  readonly #database: Postgres;

  constructor(database: Postgres, now: () => Date, times?: SessionTimes) {
    this.#database = database;
    this.people = new People(database, now);
    this.tokens = new Tokens(database, now);
    this.grants = new Grants(database);
    this.members = new Members(database, this.grants, this.tokens, now);
    this.invitations = new Invitations(database, now, this.people, this.grants);
    this.sessions = new Sessions(database, now, times);
    this.audit = new AuditLog(database, now);
  }

  /**
   * Accepts an invitation for who has logged in with a provider: who is known by that login, else somebody new, whom it means from now on.
   * @throws ExpectedError `conflict` when the invitation is for somebody who has another login
   */
  async admit(invitation: string, identity: Identity): Promise<Person> {
    return this.#database.transaction(async () => {
      const known = await this.people.byIdentity(identity);
      const { name, email, isEmailVerified } = identity;
      // Not every account has a name that can be one here; whoever runs the service can give another.
      const shown = [name, email].find((each) => each !== null && isName(each)) ?? "Somebody";
      const newcomer = { name: shown, email: isEmailVerified ? email : null };
      const person = await this.invitations.accept(invitation, known ?? newcomer);
      await this.people.link(person.id, identity);
      return person;
    });
  }

  /**
   * Shuts somebody out of everything.
   * @returns the names of the vaults that have no owner any more
   */
  async shutOut(person: string): Promise<string[]> {
    await this.people.disable(person, true);
    const own = (await this.grants.list({ person })).filter(({ role }) => role === "owner");
    const left: string[] = [];
    for (const { vault, vaultId } of own)
      if (!(await this.grants.isOwned(vaultId))) left.push(vault);
    return left;
  }

  /** Makes the first owner of a vault. Throws `already_exists` when it has one who is not shut out: owners make the others. */
  async firstOwner(vault: number, name: string, email: string): Promise<Person> {
    return this.#database.transaction(async () => {
      await this.#database.query("SELECT 1 FROM vaults WHERE id = $1 FOR NO KEY UPDATE", [vault]);
      if (await this.grants.isOwned(vault))
        throw new ExpectedError(
          "already_exists",
          "The vault has an owner already. Owners make others: coffre team grant PERSON --role owner.",
        );
      const person = (await this.people.find(email)) ?? (await this.people.add(name, email));
      await this.grants.set(person.id, vault, "", "owner");
      return person;
    });
  }
}
