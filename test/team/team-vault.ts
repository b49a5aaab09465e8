import { randomBytes } from "node:crypto";

import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import type { Files } from "../../src/testing/temporary-vault.ts";
import {
  PostgresVault,
  type PostgresVaultOptions,
} from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow, type VaultRow } from "../../src/vault/postgres/vault-row.ts";
import { DEFAULT_LIMITS, TreeWrites } from "../../src/vault/postgres/tree-writes.ts";
import { teamDatabase } from "./team-database.ts";

/** Puts files into a vault that have no history, as an import does. */
export async function fill(
  database: Postgres,
  row: VaultRow,
  files: Files,
  now = Date.now(),
): Promise<void> {
  await database.transaction(async () => {
    const tree = new TreeWrites(database, row, DEFAULT_LIMITS);
    for (const [path, content] of Object.entries(files)) {
      await tree.makeParents(path, now);
      await tree.put(path, Buffer.from(content), null, { created: now, modified: now });
    }
  });
}

/** A new vault in a database, with these files in it. */
export async function newTeamVault(
  files: Files = {},
  options: Partial<PostgresVaultOptions> = {},
): Promise<PostgresVault> {
  const database = options.database ?? (await teamDatabase());
  const row = await makeVaultRow(database, `vault-${randomBytes(6).toString("hex")}`);
  await fill(database, row, files);
  return new PostgresVault({ ...options, database, row });
}
