import { formatBytes } from "../text/tokens.ts";
import { ExpectedError } from "../errors.ts";

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS = {
  /** Bytes of a file, and of all that is packed in it. */
  bytes: 100 * MIB,
  unpackedBytes: 300 * MIB,
  /** Files in an archive or mail, those inside them included. */
  files: 200,
  /** Notes in an export of another program. */
  notes: 2000,
  /** Archives in archives, mails in mails. */
  depth: 3,
  /** Of its conversion. */
  milliseconds: 120_000,
  memoryBytes: 1536 * MIB,
  /** Of the markdown that comes out. */
  characters: 20_000_000,
};

/** What one file may cost. */
export type Limits = Readonly<typeof DEFAULT_LIMITS>;

/** @param size of the file; left out while it is still arriving */
export function tooLargeFile(name: string, max: number, size?: number): ExpectedError {
  const what =
    size === undefined
      ? `larger than ${formatBytes(max)}, which is the limit`
      : `${formatBytes(size)}; files up to ${formatBytes(max)} are taken in`;
  return new ExpectedError(
    "too_large",
    `${name} is ${what}. Split it, or keep it outside the vault.`,
  );
}
