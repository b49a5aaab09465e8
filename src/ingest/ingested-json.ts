import { showPath } from "../vault/paths.ts";
import type { Filed } from "./filing/filing.ts";
import type { Failure } from "./filing/gather.ts";

/** What became of a file, for programs: the same on the command line and over HTTP. */
export interface IngestedJson {
  readonly name: string;
  readonly type: string;
  readonly title: string;
  readonly paths: readonly string[];
  readonly duplicate_of: string | null;
  readonly notices: readonly string[];
  /** Of a mail or an archive. */
  readonly inside?: readonly IngestedJson[];
  readonly failures?: readonly Failure[];
  /** The id that undoes it; null when nothing was changed. */
  readonly history?: string | null;
}

export function ingestedJson(filed: Filed & { readonly history?: string | null }): IngestedJson {
  return {
    name: filed.name,
    type: filed.type,
    title: filed.title,
    paths: filed.paths.map((path) => showPath(path)),
    duplicate_of: filed.duplicateOf === null ? null : showPath(filed.duplicateOf),
    notices: filed.notices,
    ...(filed.inside.length === 0 ? {} : { inside: filed.inside.map(ingestedJson) }),
    ...(filed.failures.length === 0 ? {} : { failures: filed.failures }),
    ...(filed.history === undefined ? {} : { history: filed.history }),
  };
}
