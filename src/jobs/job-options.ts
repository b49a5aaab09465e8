import type { FrontmatterPolicy } from "../vault/frontmatter-policy.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";
import type { BulkIndexer } from "./bulk/bulk-indexer.ts";
import type { JobIndex } from "./file-batch.ts";
import type { ProcessedFiles } from "./processed-files.ts";

export interface BackgroundJobOptions {
  readonly vault: LocalVault;
  readonly index: JobIndex;
  readonly processed: ProcessedFiles;
  readonly now: () => Date;
  /** The setting in force: who gets frontmatter, and whether `tree.md` is written. */
  readonly policy: () => FrontmatterPolicy;
  /** Milliseconds a file that another program changed must stay unchanged before it is written to. */
  readonly quiet?: number;
  /** Milliseconds before a file that failed is tried again. */
  readonly retryDelay?: number;
  /** Reads and indexes many files in another thread: it must call `takeRead` and `bulkDied`. Without it, all is done in this one. */
  readonly bulk?: Pick<BulkIndexer, "read">;
  /** Called after files were processed. */
  readonly onDone?: (done: JobReport) => void;
  /** Called when the vault turned empty or cannot be read: call `rescan` at intervals until `alarm` is null. */
  readonly onAlarm?: () => void;
}

/** Files that changed, those of them that are new, and files that are gone. */
export interface JobReport extends Readonly<
  Record<"changed" | "created" | "gone", readonly VaultPath[]>
> {
  /** More than can be named: everything is to be asked for again. */
  readonly isAll?: boolean;
  /** Of the change, where several replicas report it: the same on all of them, and growing. */
  readonly number?: number;
}
