import { ExpectedError } from "../../errors.ts";
import type { Row } from "./postgres.ts";

/** What a migration needs of the database. */
export interface Migrated {
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/** Any number will do, as long as nobody else uses it in the same database. */
const LOCK = 7_263_331;

/**
 * Brings the schema to the newest version, in one transaction. Processes that start together wait for the first of them.
 * @param migrations the statements that lead from each version to the next; only ever append
 */
export async function migrate(database: Migrated, migrations: readonly string[]): Promise<void> {
  const newest = migrations.length;
  if ((await versionOf(database)) === newest) return;
  await database.transaction(async () => {
    // A migration of much data may take longer than a statement of a call may, and so may waiting for it.
    await database.query("SET LOCAL statement_timeout = 0");
    await database.query("SET LOCAL lock_timeout = 0");
    await database.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await database.query(
      "CREATE TABLE IF NOT EXISTS coffre_schema (version integer NOT NULL, at timestamptz NOT NULL DEFAULT now())",
    );
    const version = await versionOf(database);
    if (version > newest) throw newer(version, newest);
    for (const [at, statements] of migrations.slice(version).entries()) {
      await database.query(statements);
      await database.query("INSERT INTO coffre_schema (version) VALUES ($1)", [version + at + 1]);
    }
  });
}

/** 0 for a database without tables of ours. */
async function versionOf(database: Migrated): Promise<number> {
  const [table] = await database.query("SELECT to_regclass('coffre_schema') IS NOT NULL AS found");
  if (table?.["found"] !== true) return 0;
  const [row] = await database.query("SELECT max(version) AS version FROM coffre_schema");
  return Number(row?.["version"] ?? 0);
}

function newer(version: number, newest: number): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `The database was written by a newer coffre (schema ${version}, this one knows ${newest}). Nothing was changed; install that release.`,
  );
}
