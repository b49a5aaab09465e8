import { extensionOf, joinPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { datedName, stemOf } from "./note-name.ts";

/** Names in a folder that nothing has yet. */
export class FreeNames {
  readonly #vault: VaultReader;
  readonly #folder: VaultPath;
  readonly #now: Date;

  constructor({ vault, folder, now }: { vault: VaultReader; folder: VaultPath; now: Date }) {
    this.#vault = vault;
    this.#folder = folder;
    this.#now = now;
  }

  /** A dated base of which no name with these extensions is taken: a note and its original share it. */
  freeBase(title: string, extensions: readonly string[]): string {
    const base = datedName(title, this.#now);
    const isFree = (candidate: string): boolean =>
      extensions.every((extension) => this.#isMissing(candidate + extension));
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base}-${number}`;
      if (isFree(candidate)) return candidate;
    }
  }

  freeName(name: string): string {
    const extension = extensionOf(name);
    return this.freeBase(stemOf(name), [extension]) + extension;
  }

  #isMissing(name: string): boolean {
    return this.#vault.find(joinPath(this.#folder, name)).kind === "missing";
  }
}
