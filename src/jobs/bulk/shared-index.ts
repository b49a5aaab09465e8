import { ForwardingIndex } from "../../index/forwarding-index.ts";
import type { FileChanges, SearchIndex } from "../../index/search-index.ts";
import type { BulkIndexer } from "./bulk-indexer.ts";

/** A change with more letters than this, or of more files that are gone, is made in the other thread. */
const LARGE = 200_000;
const MANY = 100;

/** An index that is searched here, and changed by a {@link BulkIndexer} while that is open or a change is large. */
export class SharedIndex extends ForwardingIndex {
  readonly #bulk: BulkIndexer;

  constructor(index: SearchIndex, bulk: BulkIndexer) {
    super(index, index);
    this.#bulk = bulk;
  }

  override async apply(changes: FileChanges): Promise<void> {
    const bulk = this.#bulk;
    const isLarge =
      changes.gone.length > MANY || changes.put.some(({ text }) => text.length > LARGE);
    if (bulk.isOpen || isLarge) await bulk.apply(changes);
    else await this.inner.apply(changes);
  }
}
