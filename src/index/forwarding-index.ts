import type { LineRange } from "../vault/files/lines.ts";
import type { VaultPath } from "../vault/paths.ts";
import * as port from "./search-index.ts";

/** An index that does what another does, but for what its subclass does otherwise. */
export class ForwardingIndex extends port.SingleFileChanges implements port.SearchIndex {
  readonly rebuilt: string | null;
  readonly sections: port.Sections;
  readonly places: port.Places;
  readonly links: port.Links;
  readonly replacements: port.Replacements;
  protected readonly inner: port.SearchIndex;

  constructor(inner: port.SearchIndex, parts: Pick<port.SearchIndex, "links" | "replacements">) {
    super();
    this.inner = inner;
    this.rebuilt = inner.rebuilt;
    this.sections = inner.sections;
    this.places = inner.places;
    this.links = parts.links;
    this.replacements = parts.replacements;
  }

  async apply(changes: port.FileChanges): Promise<void> {
    await this.inner.apply(changes);
  }

  async load(steps: AsyncIterable<port.LoadStep> | Iterable<port.LoadStep>): Promise<void> {
    await this.inner.load(steps);
  }

  async clear(): Promise<void> {
    await this.inner.clear();
  }

  async search(request: port.SearchRequest): Promise<port.SearchOutcome> {
    return this.inner.search(request);
  }

  async completions(typed: string, most: number): Promise<port.FilterCompletion[]> {
    return this.inner.completions(typed, most);
  }

  async lines(path: VaultPath, range: LineRange): Promise<port.IndexedLines | null> {
    return this.inner.lines(path, range);
  }

  async tags(): Promise<string[]> {
    return this.inner.tags();
  }

  async stats(): Promise<port.IndexStats> {
    return this.inner.stats();
  }

  async signatures(): Promise<Map<VaultPath, string>> {
    return this.inner.signatures();
  }

  async file(path: VaultPath): Promise<port.IndexedFile | null> {
    return this.inner.file(path);
  }

  async close(): Promise<void> {
    await this.inner.close();
  }
}
