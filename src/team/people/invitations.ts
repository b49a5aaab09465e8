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

/** How somebody new wants to be called, and their address as far as it is verified. */
export interface Newcomer {
  readonly name: string;
  readonly email: string | null;
}

/** An invitation that can still be used, without its secret. */
export interface OpenInvitation {
  readonly id: string;
  readonly role: Role;
  readonly email: string | null;
  readonly person: { readonly id: string; readonly name: string } | null;
  /** Null for one of whoever runs the service. */
  readonly invitedBy: { readonly id: string; readonly name: string } | null;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly expires: number;
}

/** What somebody who has the link may know before they use it. */
export interface SeenInvitation {
  readonly vault: string;
  readonly role: Role;
  /** Whom it lets in again; null for anybody. */
  readonly person: { readonly id: string; readonly name: string } | null;
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
      const person =
        typeof known === "string"
          ? await this.#people.get(known)
          : "id" in by
            ? by
            : await this.#people.add(by.name, by.email ?? trustedEmail(invitation));
      if (person.disabled !== null) {
        // Only whoever runs the service shuts people out, and only their link, made since, lets in again.
        if (known !== person.id || invitation["invited_by"] !== null) throw notValid();
        await this.#people.disable(person.id, false);
      }
      const [vault, role] = [Number(invitation["vault"]), String(invitation["role"])];
      const has = (await this.#grants.rights(person.id, vault)).roleAt("");
      if (isRole(role) && ROLES.indexOf(role) > ROLES.indexOf(has))
        await this.#grants.set(person.id, vault, "", role);
      return { ...person, disabled: null };
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
             RETURNING sha256, vault, role, person, email, invited_by`,
            [id, now],
          );
    // Within the transaction, a wrong secret does not use it up.
    if (row === null || !isSecret(text, row["sha256"])) throw notValid();
    if (!(await this.#isByOwner(row["invited_by"], Number(row["vault"])))) throw notValid();
    return row;
  }

  /** Whoever is no owner any more cannot come back, or let anybody in, by a link that they made before. */
  async #isByOwner(inviter: unknown, vault: number): Promise<boolean> {
    if (typeof inviter !== "string") return true;
    const { disabled } = await this.#people.get(inviter);
    return disabled === null && (await this.#grants.rights(inviter, vault)).isOwner;
  }

  /** What an invitation is, without using it up; null for one that is not valid. */
  async look(text: string): Promise<SeenInvitation | null> {
    const id = secretId("cofi", text);
    if (id === null) return null;
    const row = await this.#database.one(
      `SELECT i.sha256, i.role, i.vault AS vault_id, i.invited_by, v.name AS vault, p.id AS p_id, p.name AS p_name
       FROM invitations i JOIN vaults v ON v.id = i.vault LEFT JOIN people p ON p.id = i.person
       WHERE i.id = $1 AND i.used IS NULL AND i.revoked IS NULL AND i.expires > $2`,
      [id, this.#now().getTime()],
    );
    if (row === null || !isSecret(text, row["sha256"])) return null;
    if (!(await this.#isByOwner(row["invited_by"], Number(row["vault_id"])))) return null;
    return { vault: String(row["vault"]), role: roleOf(row), person: namedOf(row, "p_") };
  }

  /** Those of a vault that can still be used. */
  async list(vault: number): Promise<OpenInvitation[]> {
    const rows = await this.#database.query(
      `SELECT i.id, i.role, i.email, i.created, i.expires, p.id AS p_id, p.name AS p_name, b.id AS b_id, b.name AS b_name
       FROM invitations i LEFT JOIN people p ON p.id = i.person LEFT JOIN people b ON b.id = i.invited_by
       WHERE i.vault = $1 AND i.used IS NULL AND i.revoked IS NULL AND i.expires > $2 ORDER BY i.created, i.id`,
      [vault, this.#now().getTime()],
    );
    return rows.map((row) => ({
      id: String(row["id"]),
      role: roleOf(row),
      email: typeof row["email"] === "string" ? row["email"] : null,
      person: namedOf(row, "p_"),
      invitedBy: namedOf(row, "b_"),
      created: Number(row["created"]),
      expires: Number(row["expires"]),
    }));
  }

  /** The name of the vault that an invitation is for; null for one that there is not. */
  async vaultOf(id: string): Promise<string | null> {
    const row = await this.#database.one(
      "SELECT v.name FROM invitations i JOIN vaults v ON v.id = i.vault WHERE i.id = $1",
      [id],
    );
    return row === null ? null : String(row["name"]);
  }

  /** Whether there was such an invitation that could still be used. @param vault only one of this vault */
  async revoke(id: string, vault: number | null = null): Promise<boolean> {
    return (
      (await this.#database.execute(
        "UPDATE invitations SET revoked = $2 WHERE id = $1 AND used IS NULL AND revoked IS NULL AND ($3::integer IS NULL OR vault = $3)",
        [id, this.#now().getTime(), vault],
      )) > 0
    );
  }
}

/**
 * The address that whoever runs the service gave. What an owner gives is no proof: they could accept as somebody else, who would later be found
 * by that address.
 */
function trustedEmail({ email, invited_by: by }: Row): string | null {
  return typeof email === "string" && by === null ? email : null;
}

function roleOf({ role }: Row): Role {
  const text = String(role);
  return isRole(text) ? text : "none";
}

function namedOf(row: Row, prefix: string): { id: string; name: string } | null {
  const id = row[`${prefix}id`];
  return typeof id === "string" ? { id, name: String(row[`${prefix}name`]) } : null;
}

function notValid(): ExpectedError {
  return new ExpectedError(
    "no_permission",
    "This invitation is not valid, or not any more. Ask for a new one.",
  );
}
