import { ExpectedError } from "../../errors.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { parsePath, type VaultPath } from "../../vault/paths.ts";
import { isScope, type Scope } from "../rights/rights.ts";
import { personOf, type Person } from "./people.ts";
import { isSecret, newSecret, secretId } from "./secrets.ts";

/** What is shown of a personal token. */
export interface Token {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The only vault that it opens; null for all of its person's. */
  readonly vault: number | null;
  readonly folder: VaultPath | null;
  /** Milliseconds since 1970, as the other times. */
  readonly created: number;
  readonly expires: number;
  readonly lastUsed: number | null;
  readonly revoked: number | null;
}

export interface NewToken {
  readonly person: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires: Date;
  readonly vault?: number;
  /** Only with a vault. */
  readonly folder?: string;
}

const LONGEST_NAME = 200;
const MOST_DAYS = 366;
const DAY = 86_400_000;
/** How exactly the last use is known: writing it at every call would make each of them a change. */
const USE_STEP = 60_000;

const COLUMNS =
  "t.id, t.person, t.name, t.scopes, t.vault, t.folder, t.created, t.expires, t.last_used, t.revoked";

/** Personal tokens: of each, the hash of its secret. */
export class Tokens {
  readonly #database: Postgres;
  readonly #now: () => Date;

  constructor(database: Postgres, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns the token as its owner needs it: shown once, and never again. */
  async create(given: NewToken): Promise<{ readonly text: string; readonly token: Token }> {
    const { person, scopes, vault = null } = given;
    const now = this.#now().getTime();
    const [name, expires] = [given.name.trim(), given.expires.getTime()];
    if (name === "" || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
      throw new ExpectedError("invalid_argument", "A token needs a name that says what it is for.");
    if (!(expires > now && expires <= now + MOST_DAYS * DAY))
      throw new ExpectedError(
        "invalid_argument",
        `A token ends within ${MOST_DAYS} days, and not in the past.`,
      );
    if (!scopes.includes("vault:read"))
      throw new ExpectedError("invalid_argument", "A token needs at least the scope vault:read.");
    const folder = given.folder === undefined ? null : parsePath(given.folder).path;
    if (folder !== null && vault === null)
      throw new ExpectedError("invalid_argument", "A token for a folder needs the folder's vault.");
    const { id, text, sha256 } = newSecret("cof");
    const row = await this.#database.one(
      `INSERT INTO tokens AS t (id, person, sha256, name, scopes, vault, folder, created, expires)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
      [id, person, sha256, name, scopes, vault, folder, now, expires],
    );
    if (row === null) throw new Error("the token was not stored");
    return { text, token: tokenOf(row) };
  }

  /** Whose a token is; null for one that is unknown, ended or revoked, or whose person is disabled. */
  async verify(text: string): Promise<{ readonly person: Person; readonly token: Token } | null> {
    const id = secretId("cof", text);
    if (id === null) return null;
    const row = await this.#database.one(
      `SELECT ${COLUMNS}, t.sha256, p.id AS p_id, p.name AS p_name, p.email AS p_email, p.disabled AS p_disabled
       FROM tokens t JOIN people p ON p.id = t.person WHERE t.id = $1`,
      [id],
    );
    if (row === null || !isSecret(text, row["sha256"])) return null;
    const [person, token] = [personOf(row, "p_"), tokenOf(row)];
    const now = this.#now().getTime();
    if (person.disabled !== null || token.revoked !== null || token.expires <= now) return null;
    if (token.lastUsed === null || token.lastUsed <= now - USE_STEP)
      await this.#database.execute("UPDATE tokens SET last_used = $2 WHERE id = $1", [id, now]);
    return { person, token };
  }

  /** Of one person, or all; never with their secrets. @param vault only those for this vault alone */
  async list(person: string | null, vault: number | null = null): Promise<Token[]> {
    const rows = await this.#database.query(
      `SELECT ${COLUMNS} FROM tokens t WHERE ($1::text IS NULL OR t.person = $1) AND ($2::integer IS NULL OR t.vault = $2) ORDER BY t.created, t.id`,
      [person, vault],
    );
    return rows.map(tokenOf);
  }

  /**
   * Whether there was such a token that was not revoked. It is refused from the next call on.
   * @param of only one of this person, or one for this vault alone
   */
  async revoke(
    id: string,
    of: { readonly person?: string; readonly vault?: number } = {},
  ): Promise<boolean> {
    return (
      (await this.#database.execute(
        `UPDATE tokens SET revoked = $2 WHERE id = $1 AND revoked IS NULL
         AND ($3::text IS NULL OR person = $3) AND ($4::integer IS NULL OR vault = $4)`,
        [id, this.#now().getTime(), of.person ?? null, of.vault ?? null],
      )) > 0
    );
  }
}

function tokenOf(row: Row): Token {
  const { scopes, folder } = row;
  return {
    id: String(row["id"]),
    person: String(row["person"]),
    name: String(row["name"]),
    scopes: Array.isArray(scopes) ? scopes.map(String).filter(isScope) : [],
    vault: numberOf(row["vault"]),
    folder: typeof folder === "string" ? folder : null,
    created: Number(row["created"]),
    expires: Number(row["expires"]),
    lastUsed: numberOf(row["last_used"]),
    revoked: numberOf(row["revoked"]),
  };
}

function numberOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
