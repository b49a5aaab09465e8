import type { SearchIndex } from "../../index/search-index.ts";
import type { BackgroundJob } from "../background-job.ts";
import { BulkIndexer } from "./bulk-indexer.ts";
import type { BulkPlace } from "./bulk-messages.ts";
import { BulkProgress } from "./bulk-progress.ts";
import { SharedIndex } from "./shared-index.ts";

export interface ThreadedIndexOptions extends BulkPlace {
  readonly index: SearchIndex;
  /** The job that is to take over what the thread reads; asked for when it has read something. */
  readonly job: () => Pick<BackgroundJob, "takeRead" | "bulkDied" | "inBulk">;
  /** Called when many files were indexed. */
  readonly onDone: () => void;
}

/** An index with the thread that fills it. */
export class ThreadedIndex extends SharedIndex {
  readonly bulk: BulkIndexer;
  readonly progress: BulkProgress;

  constructor({ index, job, root, state, onDone }: ThreadedIndexOptions) {
    const progress = new BulkProgress(() => job().inBulk);
    const bulk = new BulkIndexer({
      root,
      state,
      onFiles: (files) => {
        job().takeRead(files);
        progress.tell();
      },
      onIdle: onDone,
      onDeath: (error) => job().bulkDied(error),
    });
    super(index, bulk);
    this.bulk = bulk;
    this.progress = progress;
  }
}
