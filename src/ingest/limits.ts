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

export function tooLargeFile(name: string, size: number, limits: Limits): ExpectedError {
  return new ExpectedError(
    "too_large",
    `${name} is ${formatBytes(size)}; files up to ${formatBytes(limits.bytes)} are taken in. Split it, or keep it outside the vault.`,
  );
}

/** For a file that is still coming in. */
export function largerThanAllowed(name: string, bytes: number): ExpectedError {
  return new ExpectedError(
    "too_large",
    `${name} is larger than ${formatBytes(bytes)}, which is the most that is taken in. Split it, or keep it outside the vault.`,
  );
}
