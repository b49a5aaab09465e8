import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";

import { ExpectedError } from "../../errors.ts";
import { findClientFile, writeClientFile } from "./client-file.ts";
import type { Connection } from "./connection.ts";
import { vaultOfEntry } from "./launch.ts";
import { CannotMerge, merge, type Merged } from "./merge.ts";

export interface Outcome {
  readonly outcome: "created" | "added" | "replaced" | "unchanged";
  /** Where the file as it was is kept; null when nothing was there to keep. */
  readonly backup: string | null;
  /** Another vault that the same name led to before. */
  readonly vaultBefore?: string;
}

/** Lists the server in the client's file. */
export function putInPlace(connection: Connection): Outcome {
  const { file, placement } = connection;
  const found = findClientFile(file);
  const { text, previous } = mergeInto(found?.bytes ?? new Uint8Array(), connection);
  if (isDeepStrictEqual(previous, placement.entry)) return { outcome: "unchanged", backup: null };
  const backup = writeClientFile(file, found, text);
  if (found === null) return { outcome: "created", backup };
  if (previous === undefined) return { outcome: "added", backup };
  const before = vaultOfEntry(previous);
  const isOther = before !== undefined && before !== vaultOfEntry(placement.entry);
  return { outcome: "replaced", backup, ...(isOther ? { vaultBefore: before } : {}) };
}

function mergeInto(bytes: Uint8Array, { file, placement, format }: Connection): Merged {
  try {
    return merge(decoded(bytes), placement, format);
  } catch (error) {
    if (!(error instanceof CannotMerge)) throw error;
    throw new ExpectedError(
      "conflict",
      `${file} was not changed: ${error.message}. Mend it and run this again, or add this by hand:\n\n${format.render(placement).trimEnd()}`,
      { cause: error },
    );
  }
}

function decoded(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new CannotMerge("it is not UTF-8 text");
  return Buffer.from(bytes).toString("utf8");
}
