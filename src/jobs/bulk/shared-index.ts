import type { LineRange } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type {
  FileChanges,
  FilterCompletion,
  IndexedFile,
  IndexedLines,
  IndexStats,
  Links,
  Places,
  LoadStep,
  Replacements,
  SearchIndex,
  SearchOutcome,
  SearchRequest,
  Sections,
} from "../../index/search-index.ts";
import type { BulkIndexer } from "./bulk-indexer.ts";

/** A change with more letters than this, or of more files that are gone, is made in the other thread. */
const LARGE = 200_000;
const MANY = 100;

/** An index that is searched here, and changed by a {@link BulkIndexer} while that is open or a change is large. */
export class SharedIndex implements SearchIndex {
  readonly rebuilt: string | null;
  readonly sections: Sections;
  readonly links: Links;
  readonly replacements: Replacements;
  readonly places: Places;
  readonly #index: SearchIndex;
  readonly #bulk: BulkIndexer;

  constructor(index: SearchIndex, bulk: BulkIndexer) {
    this.#index = index;
    this.#bulk = bulk;
    this.rebuilt = index.rebuilt;
    this.sections = index.sections;
    this.links = index.links;
    this.replacements = index.replacements;
    this.places = index.places;
  }

  async apply(changes: FileChanges): Promise<void> {
    const bulk = this.#bulk;
    const isLarge =
      changes.gone.length > MANY || changes.put.some(({ text }) => text.length > LARGE);
    if (bulk.isOpen || isLarge) await bulk.apply(changes);
    else await this.#index.apply(changes);
  }

  put(file: IndexedFile): Promise<void> {
    return this.apply({ put: [file], gone: [] });
  }

  remove(path: VaultPath): Promise<void> {
    return this.apply({ put: [], gone: [path] });
  }

  async move(from: VaultPath, to: VaultPath): Promise<void> {
    const file = await this.#index.file(from);
    if (file !== null && from !== to)
      await this.apply({ put: [{ ...file, path: to }], gone: [from, to] });
  }

  load(steps: AsyncIterable<LoadStep> | Iterable<LoadStep>): Promise<void> {
    return this.#index.load(steps);
  }

  clear(): Promise<void> {
    return this.#index.clear();
  }

  search(request: SearchRequest): Promise<SearchOutcome> {
    return this.#index.search(request);
  }

  completions(typed: string, most: number): Promise<FilterCompletion[]> {
    return this.#index.completions(typed, most);
  }

  lines(path: VaultPath, range: LineRange): Promise<IndexedLines | null> {
    return this.#index.lines(path, range);
  }

  tags(): Promise<string[]> {
    return this.#index.tags();
  }

  stats(): Promise<IndexStats> {
    return this.#index.stats();
  }

  signatures(): Promise<Map<VaultPath, string>> {
    return this.#index.signatures();
  }

  file(path: VaultPath): Promise<IndexedFile | null> {
    return this.#index.file(path);
  }

  close(): Promise<void> {
    return this.#index.close();
  }
}
