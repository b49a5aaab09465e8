import type { VaultPath } from "../../vault/paths.ts";
import type { JobVault } from "../../vault/vault.ts";
import { findReachable } from "../comparison.ts";
import type { ProcessedFile, ProcessedFiles } from "../processed-files.ts";

/**
 * Notes whose stamp was undone, by the hash of their text, those that are gone from their paths too: another program that renames a note shows
 * the new name first.
 */
export class UndoneNotes {
  readonly #paths = new Map<string, Set<VaultPath>>();
  readonly #hashes = new Map<VaultPath, string>();

  constructor(processed: ProcessedFiles) {
    for (const path of processed.leftBefore) {
      const known = processed.get(path);
      if (known !== undefined) this.set(path, known);
    }
  }

  /** Call it when a note was processed. */
  set(path: VaultPath, known: Pick<ProcessedFile, "hash" | "left">): void {
    const hash = known.left?.reason === "undone" ? known.hash : null;
    const before = this.#hashes.get(path);
    if (before === (hash ?? undefined)) return;
    if (before !== undefined) {
      const others = this.#paths.get(before);
      others?.delete(path);
      if (others?.size === 0) this.#paths.delete(before);
      this.#hashes.delete(path);
    }
    if (hash === null) return;
    this.#hashes.set(path, hash);
    const same = this.#paths.get(hash);
    if (same === undefined) this.#paths.set(hash, new Set([path]));
    else same.add(path);
  }

  /** Whether a note with this hash that is not known is one of them under another name, and no copy of one. */
  async isOne(hash: string, vault: JobVault): Promise<boolean> {
    for (const path of this.#paths.get(hash) ?? [])
      if ((await findReachable(vault, path)) === null) return true;
    return false;
  }
}
