import path from "node:path";

import { chooseDeep } from "./deep/choose-engine.ts";
import { DeepIndex, type DeepIndexOptions } from "./deep/deep-index.ts";
import type { DeepSettings } from "./deep/deep-settings.ts";
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

/**
 * An index together with what `deep` searches with: by words until its model is opened, or when there is none.
 * @param state where vectors and models keep their files
 */
export function createDeepIndex(
  state: string,
  {
    deep,
    ...options
  }: Pick<DeepIndexOptions, "index" | "now" | "beforeSearch"> & DeepChoiceOptions,
): DeepIndex {
  return new DeepIndex({
    ...options,
    folder: path.join(state, "vectors"),
    openModel: async () => (deep === undefined ? null : chooseDeep(deep).open(state)),
    ...(deep === undefined ? {} : { budget: deep.seconds * 1000 }),
  });
}

interface DeepChoiceOptions {
  /** What `deep` may search with; by words when undefined. */
  readonly deep: DeepSettings | undefined;
}
