import path from "node:path";

import type { Postgres } from "../storage/postgres/postgres.ts";
import type { VaultRow } from "../vault/postgres/vault-row.ts";
import { SqliteIndex } from "./lexical/sqlite-index.ts";
import type { IndexDamage } from "./postgres/check-index.ts";
import type { IndexedFile, SearchIndex } from "./search-index.ts";

export type { IndexDamage };

export interface IndexOptions {
  /** Where its database is kept: outside the vault. Created when it is missing. */
  readonly folder: string;
  /**
   * A damaged or outdated one is set aside, and an empty one takes its place: the default. Not for those who open it beside its owner, who would
   * go on with the one that was set aside; they are refused.
   */
  readonly canRebuild?: boolean;
}

/** An index of a vault's files, without the service that keeps it up to date. */
export function createIndex({ folder, canRebuild }: IndexOptions): SearchIndex {
  // The one place that names an engine: another engine is another folder beside `lexical`, and a line here.
  return new SqliteIndex(folder, canRebuild);
}

/** The index of a vault in PostgreSQL, which is written with its files. */
export async function createTeamIndex(database: Postgres, row: VaultRow): Promise<SearchIndex> {
  // Loaded only then: a person alone does not wait for it.
  const { PostgresIndex } = await import("./postgres/postgres-index.ts");
  return new PostgresIndex(database, row);
}

/** What of the index of a vault in PostgreSQL is not as a new one of these files would be. */
export async function checkTeamIndex(
  database: Postgres,
  row: VaultRow,
  files: AsyncIterable<IndexedFile>,
  onFile: () => void,
): Promise<IndexDamage> {
  const { checkIndex } = await import("./postgres/check-index.ts");
  return checkIndex(database, row.id, files, onFile);
}

/** The index in a state folder. */
export function openIndex(state: string, options: Omit<IndexOptions, "folder"> = {}): SearchIndex {
  return createIndex({ ...options, folder: path.join(state, "index") });
}

/** An index without a file, gone with its process: it finds and ranks as the one on disk does. */
export class MemoryIndex extends SqliteIndex {
  constructor() {
    super(null);
  }
}
