import { ExpectedError } from "../../errors.ts";
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
    if (row === null) throw noVault(this.name);
  }

  /** The number of the next change. */
  async next(): Promise<number> {
    const row = await this.#database.one(
      "UPDATE vaults SET seq = seq + 1 WHERE id = $1 RETURNING seq",
      [this.id],
    );
    if (row === null) throw noVault(this.name);
    return Number(row["seq"]);
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
  const row = await database.one("SELECT id FROM vaults WHERE name = $1", [name]);
  if (row === null) throw noVault(name);
  return new VaultRow(database, Number(row["id"]), name);
}

/** Also for a vault of which its caller sees nothing. */
export function noVault(name: string): ExpectedError {
  return new ExpectedError("not_found", `There is no vault ${JSON.stringify(name)}.`);
}
