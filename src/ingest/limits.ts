import { formatBytes } from "../text/tokens.ts";
import { ExpectedError } from "../errors.ts";

const MIB = 1024 * 1024;

/** What one file may cost. */
export interface Limits {
  /** Bytes of a file, and of all that is packed in it. */
  readonly bytes: number;
  readonly unpackedBytes: number;
  /** Files in an archive or mail, those inside them included. */
  readonly files: number;
  /** Archives in archives, mails in mails. */
  readonly depth: number;
  /** Of its conversion. */
  readonly milliseconds: number;
  readonly memoryBytes: number;
  /** Of the markdown that comes out. */
  readonly characters: number;
}

export const DEFAULT_LIMITS: Limits = {
  bytes: 100 * MIB,
  unpackedBytes: 300 * MIB,
  files: 200,
  depth: 3,
  milliseconds: 120_000,
  memoryBytes: 1536 * MIB,
  characters: 20_000_000,
};

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
