import { ExpectedError } from "../../errors.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { isRole, ROLES, type Role } from "../rights/rights.ts";
import type { Grants } from "./grants.ts";
import { emailOf, type People, type Person } from "./people.ts";
import { isSecret, newSecret, secretId } from "./secrets.ts";

export interface NewInvitation {
  readonly vault: number;
  readonly role: Exclude<Role, "none">;
  readonly expires: Date;
  /** Whom it is for, when they are known already. */
  readonly person?: string;
  readonly email?: string;
  readonly invitedBy?: string;
}

/** How somebody new wants to be called. */
export interface Newcomer {
  readonly name: string;
  readonly email: string | null;
}

const MOST_DAYS = 30;
const DAY = 86_400_000;

/** Links that let one person in, once. */
export class Invitations {
  readonly #database: Postgres;
  readonly #now: () => Date;
  readonly #people: People;
  readonly #grants: Grants;

  constructor(database: Postgres, now: () => Date, people: People, grants: Grants) {
    this.#database = database;
    this.#now = now;
    this.#people = people;
    this.#grants = grants;
  }

  /** Returns the secret part of the link: shown once. */
  async create(given: NewInvitation): Promise<{ readonly id: string; readonly text: string }> {
    const [now, expires] = [this.#now().getTime(), given.expires.getTime()];
    if (!(expires > now && expires <= now + MOST_DAYS * DAY))
      throw new ExpectedError(
        "invalid_argument",
        `An invitation ends within ${MOST_DAYS} days, and not in the past.`,
      );
    const { id, text, sha256 } = newSecret("cofi");
    await this.#database.execute(
      `INSERT INTO invitations (id, sha256, vault, role, person, email, invited_by, created, expires)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        sha256,
        given.vault,
        given.role,
        given.person ?? null,
        given.email === undefined ? null : emailOf(given.email),
        given.invitedBy ?? null,
        now,
        expires,
      ],
    );
    return { id, text };
  }

  /**
   * Uses an invitation up. Whom it was made for is who accepts it; else somebody who is logged in, or somebody new. A greater role that they have
   * already stays.
   * @throws ExpectedError `no_permission` for one that is unknown, used, revoked or over: which of these is not said
   */
  async accept(text: string, by: Person | Newcomer): Promise<Person> {
    return this.#database.transaction(async () => {
      const invitation = await this.#use(text);
      const known = invitation["person"];
      if ("id" in by && typeof known === "string" && known !== by.id) throw notValid();
      const email = invitation["email"];
      const person =
        typeof known === "string"
          ? await this.#people.get(known)
          : "id" in by
            ? by
            : await this.#people.add(by.name, typeof email === "string" ? email : by.email);
      if (person.disabled !== null) throw notValid();
      const [vault, role] = [Number(invitation["vault"]), String(invitation["role"])];
      const has = (await this.#grants.rights(person.id, vault)).roleAt("");
      if (isRole(role) && ROLES.indexOf(role) > ROLES.indexOf(has))
        await this.#grants.set(person.id, vault, "", role);
      return person;
    });
  }

  /** Of several who use one at the same time, one does. */
  async #use(text: string): Promise<Row> {
    const id = secretId("cofi", text);
    const now = this.#now().getTime();
    const row =
      id === null
        ? null
        : await this.#database.one(
            `UPDATE invitations SET used = $2 WHERE id = $1 AND used IS NULL AND revoked IS NULL AND expires > $2
             RETURNING sha256, vault, role, person, email`,
            [id, now],
          );
    // Within the transaction, a wrong secret does not use it up.
    if (row === null || !isSecret(text, row["sha256"])) throw notValid();
    return row;
  }

  /** Whether there was such an invitation that could still be used. */
  async revoke(id: string): Promise<boolean> {
    return (
      (await this.#database.execute(
        "UPDATE invitations SET revoked = $2 WHERE id = $1 AND used IS NULL AND revoked IS NULL",
        [id, this.#now().getTime()],
      )) > 0
    );
  }
}

function notValid(): ExpectedError {
  return new ExpectedError(
    "no_permission",
    "This invitation is not valid, or not any more. Ask for a new one.",
  );
}
