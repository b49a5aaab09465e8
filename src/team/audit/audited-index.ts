import type { IndexReader } from "../../index/search-index.ts";
import type { VaultPath } from "../../vault/paths.ts";

/** An index that says whose text it shows: a search reads the notes that it finds, without opening them. */
export class AuditedIndex implements IndexReader {
  readonly #base: IndexReader;
  readonly #read: (path: VaultPath) => void;
  readonly links: IndexReader["links"];
  readonly places: IndexReader["places"];
  readonly replacements: IndexReader["replacements"];

  constructor(base: IndexReader, read: (path: VaultPath) => void) {
    this.#base = base;
    this.#read = read;
    ({ links: this.links, places: this.places, replacements: this.replacements } = base);
  }

  async search(request: Parameters<IndexReader["search"]>[0]): ReturnType<IndexReader["search"]> {
    const found = await this.#base.search(request);
    for (const { path } of found.hits) this.#read(path);
    return found;
  }

  async lines(...args: Parameters<IndexReader["lines"]>): ReturnType<IndexReader["lines"]> {
    const found = await this.#base.lines(...args);
    if (found !== null) this.#read(args[0]);
    return found;
  }

  async completions(typed: string, most: number): ReturnType<IndexReader["completions"]> {
    return this.#base.completions(typed, most);
  }

  async stats(): ReturnType<IndexReader["stats"]> {
    return this.#base.stats();
  }

  async tags(): Promise<string[]> {
    return this.#base.tags();
  }
}
