import { ExpectedError } from "../../errors.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { newId } from "./secrets.ts";

/** Somebody of the team. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** Milliseconds since 1970; null for one who may log in. */
  readonly disabled: number | null;
}

/** Who somebody is for the provider that they log in with. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

const COLUMNS = "id, name, email, disabled";
const LONGEST = 200;
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** The people of a database. */
export class People {
  readonly #database: Postgres;
  readonly #now: () => Date;

  constructor(database: Postgres, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Throws `already_exists` for an address that somebody has. */
  async add(name: string, email: string | null): Promise<Person> {
    const [shown, address] = [nameOf(name), email === null ? null : emailOf(email)];
    const row = await this.#database.one(
      `INSERT INTO people (id, name, email, created) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [newId(), shown, address, this.#now().getTime()],
    );
    if (row === null)
      throw new ExpectedError(
        "already_exists",
        `Somebody has the address ${address ?? ""} already.`,
      );
    return personOf(row);
  }

  async all(): Promise<Person[]> {
    const rows = await this.#database.query(`SELECT ${COLUMNS} FROM people ORDER BY name, id`);
    return rows.map((row) => personOf(row));
  }

  /** By id or address; null for nobody. */
  async find(given: string): Promise<Person | null> {
    const row = await this.#database.one(
      `SELECT ${COLUMNS} FROM people WHERE id = $1 OR email = $2`,
      [given, given.toLowerCase()],
    );
    return row === null ? null : personOf(row);
  }

  /** By id or address. Throws `not_found`. */
  async get(given: string): Promise<Person> {
    const person = await this.find(given);
    if (person !== null) return person;
    throw new ExpectedError(
      "not_found",
      `Nobody has the id or address ${JSON.stringify(given)}. List them with: coffre team people.`,
    );
  }

  /**
   * Who logs in with a provider; null for somebody unknown. Somebody who was added by their address and never logged in is recognised by it, when
   * the provider has verified it: otherwise anybody could register with the address of another.
   */
  async byIdentity(identity: Identity): Promise<Person | null> {
    const { issuer, subject, email, isEmailVerified } = identity;
    const known = await this.#database.one(
      `SELECT ${COLUMNS} FROM people WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    if (known !== null || email === null || !isEmailVerified)
      return known === null ? null : personOf(known);
    const linked = await this.#database.one(
      `UPDATE people SET issuer = $1, subject = $2 WHERE email = $3 AND issuer IS NULL AND disabled IS NULL RETURNING ${COLUMNS}`,
      [issuer, subject, email.toLowerCase()],
    );
    return linked === null ? null : personOf(linked);
  }

  /** Binds a person to who they are for a provider: after an invitation. Throws `conflict` when either has another one. */
  async link(person: string, { issuer, subject }: Identity): Promise<void> {
    const linked = await this.#database.execute(
      `UPDATE people SET issuer = $2, subject = $3 WHERE id = $1 AND (issuer IS NULL OR (issuer = $2 AND subject = $3))
       AND NOT EXISTS (SELECT 1 FROM people o WHERE o.issuer = $2 AND o.subject = $3 AND o.id <> $1)`,
      [person, issuer, subject],
    );
    if (linked === 0)
      throw new ExpectedError(
        "conflict",
        "This login belongs to somebody else, or this person has another one.",
      );
  }

  /** How somebody is called from now on. */
  async rename(person: string, name: string): Promise<Person> {
    const row = await this.#database.one(
      `UPDATE people SET name = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
      [person, nameOf(name)],
    );
    return row === null ? this.get(person) : personOf(row);
  }

  /** All that they hold is refused from the next call on, in all processes: every credential is checked with its person. */
  async disable(person: string, isDisabled: boolean): Promise<void> {
    const now = this.#now().getTime();
    await this.#database.transaction(async () => {
      await this.#database.execute("UPDATE people SET disabled = $2 WHERE id = $1", [
        person,
        isDisabled ? now : null,
      ]);
      if (!isDisabled) return;
      await this.#database.execute(
        "UPDATE sessions SET ended = $2 WHERE person = $1 AND ended IS NULL",
        [person, now],
      );
      await this.#database.execute(
        "UPDATE tokens SET revoked = $2 WHERE person = $1 AND revoked IS NULL",
        [person, now],
      );
      await this.#database.execute(
        "UPDATE invitations SET revoked = $2 WHERE person = $1 AND used IS NULL AND revoked IS NULL",
        [person, now],
      );
    });
  }
}

/** A row with the columns of a person, each with this before its name. */
export function personOf(row: Row, prefix = ""): Person {
  const [email, disabled] = [row[`${prefix}email`], row[`${prefix}disabled`]];
  return {
    id: String(row[`${prefix}id`]),
    name: String(row[`${prefix}name`]),
    email: typeof email === "string" ? email : null,
    disabled: disabled === null || disabled === undefined ? null : Number(disabled),
  };
}

/** How the audit names somebody who was acted upon: the id stays when the name changes. */
export function inAudit({ id, name }: Pick<Person, "id" | "name">): string {
  return `${name} (${id})`;
}

/** Whether somebody can be called so. */
export function isName(name: string): boolean {
  const shown = name.trim();
  return shown !== "" && shown.length <= LONGEST && !/\p{Cc}/u.test(shown);
}

function nameOf(name: string): string {
  if (isName(name)) return name.trim();
  throw new ExpectedError(
    "invalid_argument",
    `A name has 1 to ${LONGEST} characters, without line breaks.`,
  );
}

export function emailOf(email: string): string {
  const address = email.trim().toLowerCase();
  if (EMAIL.test(address) && address.length <= LONGEST) return address;
  throw new ExpectedError("invalid_argument", `${JSON.stringify(email)} is not an e-mail address.`);
}
