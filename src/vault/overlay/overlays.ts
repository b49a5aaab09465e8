import type { OverlayVault } from "./overlay-vault.ts";

/** The overlays of a vault, each with a name. */
export interface Overlays {
  /** A new one, in place of what a killed process left under this name. */
  create(name: string): Promise<OverlayVault>;
  has(name: string): Promise<boolean>;
  /** Throws `not_found`. */
  open(name: string): Promise<OverlayVault>;
  remove(name: string): Promise<void>;
  /** Removes all others, of which nobody knows any more. */
  keepOnly(names: ReadonlySet<string>): Promise<void>;
  /** Runs what is made of an overlay while nobody changes it or answers for it: all of the work is kept or, where that can be, nothing. */
  settle<T>(name: string, work: () => Promise<T>): Promise<T>;
}
