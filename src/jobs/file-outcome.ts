import type { IndexedFile } from "../index/search-index.ts";
import type { ProcessedFile } from "./processed-files.ts";

/** The result of processing a file: what to index, and what to report. */
export interface Outcome {
  readonly put: IndexedFile | null;
  readonly change: "created" | "changed" | null;
  /** It has a name that the index takes and a content that it does not: an older content may still be in it. */
  readonly isUnsearchable?: true;
}

export const UNCHANGED: Outcome = { put: null, change: null };

/** A file is new until it is stamped for the first time, which gives it a hash. */
export function changeOf(
  known: ProcessedFile | undefined,
  hash: string | null,
): "created" | "changed" {
  return known === undefined || (known.hash === null && hash !== null) ? "created" : "changed";
}
