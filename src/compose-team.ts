import { setTimeout as pause } from "node:timers/promises";

import { createTeamIndex } from "./index/create-index.ts";
import { fillIndex, followFiles } from "./index/fill-index.ts";
import type { IndexStats, SearchIndex } from "./index/search-index.ts";
import { stampInWrite } from "./jobs/stamping/stamp-in-write.ts";
import type { Postgres } from "./storage/postgres/postgres.ts";
import { recordEvent } from "./storage/postgres/vault-events.ts";
import type { FrontmatterPolicy } from "./vault/frontmatter-policy.ts";
import type { Change } from "./vault/history/history-types.ts";
import type { KeepLimits } from "./vault/history/history.ts";
import { PostgresVault, type PostgresVaultOptions } from "./vault/postgres/postgres-vault.ts";
import type { VaultLimits } from "./vault/postgres/tree-writes.ts";
import type { VaultRow } from "./vault/postgres/vault-row.ts";

/** A folder or file that has another path now. */
export type Moved = Pick<Extract<Change, { kind: "move" }>, "path" | "to">;

export interface TeamVaultOptions {
  readonly database: Postgres;
  readonly row: VaultRow;
  readonly now: () => Date;
  /** Which notes get frontmatter as they are written. */
  readonly policy: () => FrontmatterPolicy;
  /** Called in the transaction of a change that moves something, an undo included: rights move with it, or what was hidden would be seen under its new name. */
  readonly onMove?: (moves: readonly Moved[]) => Promise<void>;
  readonly keep?: KeepLimits;
  readonly limits?: VaultLimits;
  /** Called in the transaction of every change before anything is written; what it throws refuses the change. */
  readonly beforeChange?: NonNullable<PostgresVaultOptions["beforeChange"]>;
}

/** A vault in PostgreSQL and its index. Every change writes files, frontmatter, history and index in one transaction. */
export async function openTeamVault(
  options: TeamVaultOptions,
): Promise<{ readonly vault: PostgresVault; readonly index: SearchIndex }> {
  const { database, row, now, policy, onMove, ...limits } = options;
  await renewIndex({ database, row, now });
  const index = await createTeamIndex(database, row);
  const vault: PostgresVault = new PostgresVault({
    ...limits,
    database,
    row,
    now,
    stamp: stampInWrite(policy, now),
    beforeCommit: async (touched, made) => {
      const moves = made.filter((change) => change.kind === "move");
      if (moves.length > 0) await onMove?.(moves);
      if (touched.length === 0) return;
      // First: by the index it is known which files are new.
      await recordEvent(database, row.id, touched);
      await followFiles(vault, index, touched);
    },
  });
  return { vault, index };
}

/** The first key of the advisory locks of those who make an index again; the second is the vault. */
const RENEWING = 7_263_334;
/** Indexes that this process makes again at once, at most: each takes a connection for all the time. */
const MOST_RENEWED = 2;
/** Milliseconds between two looks at whether another replica has made an index again. */
const RENEWED_LOOK = 500;

let renewing = 0;

/** Waits until the index of a vault is made by the rules of this release; makes it again unless another replica does. Whoever waits holds no connection. */
async function renewIndex(
  parts: Pick<TeamVaultOptions, "database" | "row" | "now">,
): Promise<void> {
  while (await isOutdated(parts)) {
    if (renewing < MOST_RENEWED) {
      renewing += 1;
      try {
        if (await rebuildOutdated(parts)) return;
      } finally {
        renewing -= 1;
      }
    }
    await pause(RENEWED_LOOK);
  }
}

/** False when another replica is about it. */
async function rebuildOutdated(
  parts: Pick<TeamVaultOptions, "database" | "row" | "now">,
): Promise<boolean> {
  const { database, row } = parts;
  return database.transaction(async () => {
    const asked = await database.one("SELECT pg_try_advisory_xact_lock($1, $2) AS mine", [
      RENEWING,
      row.id,
    ]);
    if (asked?.["mine"] !== true) return false;
    await rebuildTeamIndex(parts, async () => isOutdated(parts));
    return true;
  });
}

/**
 * Makes the index of a vault again from its files, in one transaction: searches see the old one until it is done.
 * @param isNeeded asked when no other change is being made: another replica may have done it meanwhile
 */
export async function rebuildTeamIndex(
  { database, row, now }: Pick<TeamVaultOptions, "database" | "row" | "now">,
  isNeeded: () => Promise<boolean> = async () => true,
): Promise<IndexStats> {
  const index = await createTeamIndex(database, row);
  const vault = new PostgresVault({ database, row, now });
  await database.transaction(async () => {
    await database.query("SET LOCAL statement_timeout = 0");
    await database.query("SET LOCAL lock_timeout = 0");
    await row.lock();
    if (!(await isNeeded())) return;
    await index.clear();
    await fillIndex(vault, index);
    await database.execute("UPDATE vaults SET index_outdated = false WHERE id = $1", [row.id]);
  });
  return index.stats();
}

/** Whether the index was made by the rules of an older release. */
async function isOutdated({
  database,
  row,
}: Pick<TeamVaultOptions, "database" | "row">): Promise<boolean> {
  const found = await database.one("SELECT index_outdated FROM vaults WHERE id = $1", [row.id]);
  return found?.["index_outdated"] === true;
}
