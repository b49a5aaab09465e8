import { createTeamIndex } from "./index/create-index.ts";
import { followFiles } from "./index/fill-index.ts";
import type { SearchIndex } from "./index/search-index.ts";
import { stampInWrite } from "./jobs/stamping/stamp-in-write.ts";
import type { Postgres } from "./storage/postgres/postgres.ts";
import { recordEvent } from "./storage/postgres/vault-events.ts";
import type { FrontmatterPolicy } from "./vault/frontmatter-policy.ts";
import type { Change } from "./vault/history/history-types.ts";
import type { KeepLimits } from "./vault/history/history.ts";
import { PostgresVault, type PostgresVaultOptions } from "./vault/postgres/postgres-vault.ts";
import type { VaultLimits } from "./vault/postgres/tree-writes.ts";
import type { VaultRow } from "./vault/postgres/vault-row.ts";
import type { Vault } from "./vault/vault.ts";

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
): Promise<{ readonly vault: Vault; readonly index: SearchIndex }> {
  const { database, row, now, policy, onMove, ...limits } = options;
  const index = await createTeamIndex(database, row);
  const vault: Vault = new PostgresVault({
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
