import type { FileVersion } from "../files/version.ts";
import type { VaultPath } from "../paths.ts";
import type { Vault } from "../vault.ts";

/** Where an overlay keeps what is changed in it. */
export interface OverlayStore {
  /** What was copied and changed, with its history. */
  readonly copies: Vault;
  /** Whether other processes may change it meanwhile: it is read again before it is used. */
  readonly isShared: boolean;
  /** The files of the base that were copied, with the hashes of the person's text that each had. */
  brought(): Promise<Map<VaultPath, string>>;
  /** Puts a file of the base into the copies. A copy that nobody knows of would count as a new file: both are recorded, or neither. */
  bring(place: VaultPath, bytes: Buffer, hash: string): Promise<void>;
  /** Makes a folder in the copies with those above it, where it is missing. */
  makeFolder(place: VaultPath): Promise<void>;
  /** Keeps the bytes of a new file that is too large for the history. */
  keepLarge(bytes: Buffer): Promise<void>;
  /** The bytes of a new file that {@link keepLarge} kept. */
  large(version: FileVersion): Promise<Buffer>;
}
