import { ExpectedError } from "../../errors.ts";
import { BusyError } from "../../storage/postgres/explain-postgres.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";

/** It is a part of addresses. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;

/** The row of a vault: locking it is what makes its changes one at a time, in all processes. */
export class VaultRow {
  readonly id: number;
  readonly name: string;
  readonly #database: Postgres;

  constructor(database: Postgres, id: number, name: string) {
    this.#database = database;
    this.id = id;
    this.name = name;
  }

  /** Waits until no other change is being made; held until the transaction ends. */
  async lock(): Promise<void> {
    const row = await this.#database.one("SELECT 1 FROM vaults WHERE id = $1 FOR NO KEY UPDATE", [
      this.id,
    ]);
    if (row === null) throw this.missing();
  }

  /**
   * The same for a change of a person or an agent. Throws `busy` while a folder is imported, also one whose import was cut off: going on with it
   * makes the vault equal to the folder, and would remove what was written meanwhile.
   */
  async lockToChange(): Promise<void> {
    const row = await this.#database.one(
      "SELECT importing IS NOT NULL AS importing FROM vaults WHERE id = $1 FOR NO KEY UPDATE",
      [this.id],
    );
    if (row === null) throw this.missing();
    if (row["importing"] === true)
      throw new BusyError(
        `A folder is being imported into the vault ${this.name}; until that has ended, nothing else can change it. If the import was cut off, run the same coffre import again: it goes on.`,
      );
  }

  /** The number of the next change. */
  async next(): Promise<number> {
    const row = await this.#database.one(
      "UPDATE vaults SET seq = seq + 1 WHERE id = $1 RETURNING seq",
      [this.id],
    );
    if (row === null) throw this.missing();
    return Number(row["seq"]);
  }

  protected missing(): ExpectedError {
    return noVault(this.name);
  }

  /** Adds to the bytes of its files; returns how many they are then. */
  async grow(bytes: number): Promise<number> {
    const row = await this.#database.one(
      "UPDATE vaults SET bytes = bytes + $2 WHERE id = $1 RETURNING bytes",
      [this.id, bytes],
    );
    return Number(row?.["bytes"]);
  }
}

/** The vault of a name; it is made when it is missing. */
export async function makeVaultRow(database: Postgres, name: string): Promise<VaultRow> {
  if (!NAME.test(name))
    throw new ExpectedError(
      "invalid_argument",
      `${JSON.stringify(name)} cannot be the name of a vault: use up to 63 small letters, digits and hyphens.`,
    );
  await database.execute("INSERT INTO vaults (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
  return findVaultRow(database, name);
}

/** The vault of a name. Throws `not_found` when there is none. */
export async function findVaultRow(database: Postgres, name: string): Promise<VaultRow> {
  // Anybody may ask for any name, before it is known who they are: what no vault can be called is no query.
  if (!NAME.test(name)) throw noVault(name);
  const row = await database.one("SELECT id FROM vaults WHERE name = $1 AND overlay IS NULL", [
    name,
  ]);
  if (row === null) throw noVault(name);
  return new VaultRow(database, Number(row["id"]), name);
}

/** The names of all vaults. */
export async function vaultNames(database: Postgres): Promise<string[]> {
  const rows = await database.query("SELECT name FROM vaults WHERE overlay IS NULL ORDER BY name");
  return rows.map(({ name }) => String(name));
}

/** Also for a vault of which its caller sees nothing. */
export function noVault(name: string): ExpectedError {
  return new ExpectedError("not_found", `There is no vault ${JSON.stringify(name)}.`);
}
