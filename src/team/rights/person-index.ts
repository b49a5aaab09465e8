import { MemoryIndex } from "../../index/create-index.ts";
import { readIndexed } from "../../index/fill-index.ts";
import {
  isIndexed,
  type IndexReader,
  type Links,
  type SearchIndex,
} from "../../index/search-index.ts";
import { VaultLinks } from "../../index/vault-links.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { Vault, VaultReader } from "../../vault/vault.ts";
import type { Rights } from "./rights.ts";

export interface PersonIndexParts {
  readonly vault: Pick<Vault, "scan" | "isGenerated">;
  /** The vault as its reader sees it. */
  readonly seen: VaultReader;
  readonly rights: Rights;
  /** Differs when anything in the vault differs: asked before every search. */
  readonly version: () => Promise<string>;
}

/**
 * The index of those who may not read all of a vault, in memory, of what they may read. An index of everything whose hits are filtered would still
 * tell by the order of its hits, by corrected words and by what links mean, what stands in the rest; this one has never read it.
 */
export class PersonIndex implements IndexReader {
  readonly #parts: PersonIndexParts;
  readonly #index: SearchIndex = new MemoryIndex();
  #version: string | null = null;
  #last: Promise<void> = Promise.resolve();
  readonly links: Links;
  readonly places: IndexReader["places"] = {
    find: async (text, limit) => (await this.#ready()).places.find(text, limit),
    values: async (key, begun, limit) => (await this.#ready()).places.values(key, begun, limit),
  };
  readonly replacements: IndexReader["replacements"] = {
    stated: async () => (await this.#ready()).replacements.stated(),
    of: async (path, lines) => (await this.#ready()).replacements.of(path, lines),
  };

  constructor(parts: PersonIndexParts) {
    this.#parts = parts;
    this.links = new VaultLinks(async () => (await this.#ready()).links, parts.seen);
  }

  /** One update after the other: each call waits for the one that it needs. */
  async #ready(): Promise<SearchIndex> {
    const update = this.#last.then(async () => this.#update());
    this.#last = update.catch(() => {});
    await update;
    return this.#index;
  }

  async #update(): Promise<void> {
    const { vault, seen, rights, version } = this.#parts;
    const now = await version();
    if (now === this.#version) return;
    const known = await this.#index.signatures();
    const changed: VaultPath[] = [];
    for (const item of await vault.scan()) {
      if (item.kind !== "file" || !isIndexed(item.path) || !rights.mayRead(item.path)) continue;
      if (known.get(item.path) !== item.signature && !(await vault.isGenerated(item.path)))
        changed.push(item.path);
      known.delete(item.path);
    }
    await this.#index.apply({ put: [], gone: [...known.keys()] });
    await this.#index.load(readAll(seen, changed));
    this.#version = now;
  }

  async search(request: Parameters<IndexReader["search"]>[0]): ReturnType<IndexReader["search"]> {
    return (await this.#ready()).search(request);
  }

  async completions(typed: string, most: number): ReturnType<IndexReader["completions"]> {
    return (await this.#ready()).completions(typed, most);
  }

  async lines(...args: Parameters<IndexReader["lines"]>): ReturnType<IndexReader["lines"]> {
    return (await this.#ready()).lines(...args);
  }

  async stats(): ReturnType<IndexReader["stats"]> {
    return (await this.#ready()).stats();
  }

  async tags(): Promise<string[]> {
    return (await this.#ready()).tags();
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#index.close();
  }
}

async function* readAll(
  seen: VaultReader,
  paths: readonly VaultPath[],
): AsyncGenerator<NonNullable<Awaited<ReturnType<typeof readIndexed>>>> {
  for (const path of paths) {
    const file = await readIndexed(seen, path);
    if (file !== null) yield file;
  }
}
