import { setImmediate as nextTurn } from "node:timers/promises";

import { ExpectedError } from "../../errors.ts";
import { isDropped, isMarkdown, type VaultPath } from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";

/** Where a note's frontmatter is, with room for the keys it brought along. */
const HEAD = 4096;
const SLICE = 200;
const SHA256 = /^ {2}sha256: ([0-9a-f]{64})$/mu;
const PARTIAL = /^ {2}partial: true$/mu;

interface Known {
  readonly signature: string;
  readonly size: number;
  /** Of the file the note was made from; null for what is no such note. */
  readonly source: { readonly sha256: string; readonly isPartial: boolean } | null;
}

/**
 * The files that were ingested before, as of the last {@link KnownSources.refresh}. Read from the notes themselves, so nothing can go out of
 * step: a note that was moved is still known, one that was deleted is not.
 */
export class KnownSources {
  readonly #vault: Pick<Vault, "readBytes" | "scan">;
  #files = new Map<VaultPath, Known>();

  constructor(vault: Pick<Vault, "readBytes" | "scan">) {
    this.#vault = vault;
  }

  /**
   * The note made from a file with this hash.
   * @param orPartial also a note that is marked as partial
   */
  noteOf(sha256: string, orPartial: boolean): VaultPath | null {
    for (const [path, { source }] of this.#files) {
      if (source?.sha256 === sha256 && (orPartial || !source.isPartial)) return path;
    }
    return null;
  }

  /** A file in the vault, other than a note, with exactly these bytes. */
  async copyOf(bytes: Uint8Array): Promise<VaultPath | null> {
    for (const [path, { size }] of this.#files) {
      if (size !== bytes.length || isMarkdown(path)) continue;
      if ((await this.#read(path, size))?.equals(bytes) === true) return path;
    }
    return null;
  }

  /** Scans the vault. The first scan reads the head of every note, later ones only those that changed. */
  async refresh(): Promise<void> {
    const before = this.#files;
    const files = new Map<VaultPath, Known>();
    let read = 0;
    for (const each of await this.#vault.scan()) {
      if (each.kind !== "file" || each.isLink || isDropped(each.path)) continue;
      const { path, signature, size } = each;
      const known = before.get(path);
      if (known?.signature === signature) files.set(path, known);
      else {
        const source = isMarkdown(path) ? await this.#sourceOf(path) : null;
        files.set(path, { signature, size, source });
        read += 1;
        if (read % SLICE === 0) await nextTurn();
      }
    }
    this.#files = files;
  }

  async #sourceOf(path: VaultPath): Promise<Known["source"]> {
    const head = (await this.#read(path, HEAD))?.toString("utf8") ?? "";
    if (!head.startsWith("---")) return null;
    const end = head.indexOf("\n---", 3);
    const block = end < 0 ? head : head.slice(0, end);
    const sha256 = SHA256.exec(block)?.[1];
    return sha256 === undefined ? null : { sha256, isPartial: PARTIAL.test(block) };
  }

  async #read(path: VaultPath, most: number): Promise<Buffer | null> {
    try {
      return (await this.#vault.readBytes(path, most)).bytes;
    } catch (error) {
      // Gone, or unreadable.
      if (error instanceof ExpectedError) return null;
      throw error;
    }
  }
}
