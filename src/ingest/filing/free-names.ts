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
  async freeBase(title: string, extensions: readonly string[]): Promise<string> {
    const base = datedName(title, this.#now);
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base}-${number}`;
      if (await this.#areMissing(extensions.map((extension) => candidate + extension)))
        return candidate;
    }
  }

  async freeName(name: string): Promise<string> {
    const extension = extensionOf(name);
    return (await this.freeBase(stemOf(name), [extension])) + extension;
  }

  async #areMissing(names: readonly string[]): Promise<boolean> {
    for (const name of names) {
      const found = await this.#vault.find(joinPath(this.#folder, name));
      if (found.kind !== "missing") return false;
    }
    return true;
  }
}
