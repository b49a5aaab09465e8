import type { SearchIndex } from "./search-index.ts";
import { SqliteIndex } from "./lexical/sqlite-index.ts";

export interface IndexOptions {
  /** Where its database is kept: outside the vault. Made when it is missing. */
  readonly folder: string;
}

/** The index of a vault's files, kept by SQLite. What is put into it is found; a service does so by itself. */
export function createIndex({ folder }: IndexOptions): SearchIndex {
  return new SqliteIndex(folder);
}
