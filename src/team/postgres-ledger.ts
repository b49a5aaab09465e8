import type { Postgres } from "../storage/postgres/postgres.ts";
import { sameVersion, type FileVersion } from "../vault/files/version.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { Ledger, ReadState } from "../tools/session.ts";

/**
 * The ledger of a caller that any replica may answer: what it read on one counts on the others. Within a change it is written in the same
 * transaction, so that it is kept with the change or not at all.
 */
export class PostgresLedger implements Ledger {
  readonly #database: Postgres;
  readonly #key: readonly [vault: number, session: string];

  /** @param session tells callers apart */
  constructor(database: Postgres, vault: number, session: string) {
    this.#database = database;
    this.#key = [vault, session];
  }

  async saw(path: VaultPath, { signature, hash, origin }: FileVersion): Promise<void> {
    await this.#database.execute(
      "INSERT INTO reads (vault, session, path, signature, hash) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (vault, session, path) DO UPDATE SET signature = excluded.signature, hash = excluded.hash, at = now()",
      [...this.#key, path, origin ?? signature, hash],
    );
  }

  async state(path: VaultPath, now: FileVersion): Promise<ReadState> {
    const row = await this.#database.one(
      "SELECT signature, hash FROM reads WHERE vault = $1 AND session = $2 AND path = $3",
      [...this.#key, path],
    );
    if (row === null) return "never";
    const { hash: kept } = row;
    const hash = typeof kept === "string" ? kept : null;
    return sameVersion({ signature: String(row["signature"]), hash }, now) ? "current" : "changed";
  }

  async wrote(path: VaultPath, before: FileVersion, after: FileVersion): Promise<void> {
    if ((await this.state(path, before)) === "current") await this.saw(path, after);
  }

  async moved(from: VaultPath, to: VaultPath): Promise<void> {
    await this.#database.transaction(async () => {
      const values = [...this.#key, from, to];
      const under = "vault = $1 AND session = $2 AND (path = $3 OR starts_with(path, $3 || '/'))";
      // What was read before at the new place is not what is there now.
      await this.#database.execute(
        `DELETE FROM reads WHERE vault = $1 AND session = $2 AND path IN (SELECT $4::text || substr(path, length($3) + 1) FROM reads WHERE ${under})`,
        values,
      );
      await this.#database.execute(
        `UPDATE reads SET path = $4::text || substr(path, length($3) + 1) WHERE ${under}`,
        values,
      );
    });
  }
}
