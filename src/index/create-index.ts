import path from "node:path";

import { SqliteIndex } from "./lexical/sqlite-index.ts";
import type { SearchIndex } from "./search-index.ts";

export interface IndexOptions {
  /** Where its database is kept: outside the vault. Created when it is missing. */
  readonly folder: string;
}

/** An index of a vault's files, without the service that keeps it up to date. */
export function createIndex({ folder }: IndexOptions): SearchIndex {
  // The one place that names an engine: another engine is another folder beside `lexical`, and a line here.
  return new SqliteIndex(folder);
}

/** The index in a state folder. */
export function openIndex(state: string): SearchIndex {
  return createIndex({ folder: path.join(state, "index") });
}

/** An index without a file, gone with its process: it finds and ranks as the one on disk does. */
export class MemoryIndex extends SqliteIndex {
  constructor() {
    super(null);
  }
}
