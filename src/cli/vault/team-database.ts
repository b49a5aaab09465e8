import { statSync } from "node:fs";
import path from "node:path";

import { nonEmpty } from "../../config.ts";
import { ExpectedError } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { arg, type CommandContext } from "../table/command.ts";

export const databaseOption = arg.text(
  "URL",
  "The PostgreSQL of a team: postgres://user@host/name, or COFFRE_DATABASE",
);

/** The address of the database that was named, by the option or the environment: for commands that know no vault in a folder. */
export function databaseUrl(
  named: string | undefined,
  { environment }: Pick<CommandContext, "environment">,
): string | undefined {
  return named ?? nonEmpty(environment["COFFRE_DATABASE"]);
}

/**
 * The same for commands that also know vaults in folders: the option always counts, the environment only for a `--vault` that is no path. Whoever
 * runs a service on this machine has a vault of their own too.
 */
export function databaseForVault(
  named: string | undefined,
  { environment, named: { vault } }: Pick<CommandContext, "environment" | "named">,
): string | undefined {
  if (named !== undefined) return named;
  return vault === undefined || isPath(vault) ? undefined : databaseUrl(undefined, { environment });
}

function isPath(vault: string): boolean {
  const isFolder = statSync(vault, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder || vault.includes("/") || vault.includes(path.sep);
}

/** Runs `work` on the database that was named, and closes its connections. */
export async function withDatabase<T>(
  named: string | undefined,
  context: Pick<CommandContext, "environment">,
  work: (database: Postgres) => Promise<T>,
): Promise<T> {
  const url = databaseUrl(named, context);
  if (url === undefined)
    throw new ExpectedError(
      "invalid_argument",
      "Name the database: --database postgres://user@host/name, or COFFRE_DATABASE.",
    );
  const { openPostgres } = await import("../../storage/postgres/postgres.ts");
  const database = await openPostgres({ url });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The name of a vault in a database. */
export function vaultName({ named }: Pick<CommandContext, "named">): string {
  if (named.vault !== undefined) return named.vault;
  throw new ExpectedError("invalid_argument", "Name the vault in the database: --vault NAME.");
}
