import type { Memory, MemoryOptions } from "./agents/memory.ts";
import type { PrivateFolders } from "./private-folders.ts";
import type { ReaderView } from "./reader-view.ts";
import type { Forgetting } from "./forget/forget.ts";
import type { Frontmatter } from "./frontmatter.ts";
import type { DeepSettings } from "./index/deep/deep-settings.ts";
import type { IndexReader } from "./index/search-index.ts";
import type { Ingest, IngestSettings } from "./ingest/ingest.ts";
import type { JobReport } from "./jobs/background-job.ts";
import type { ServiceStatus } from "./service-status.ts";
import type { FrontmatterPolicy } from "./vault/frontmatter-policy.ts";
import type { VaultPath } from "./vault/paths.ts";
import type { LocalVault } from "./vault/vault.ts";

export interface ServiceOptions {
  /** The folder of notes. It must exist. */
  readonly root: string;
  /** Where everything else is kept: outside the vault. */
  readonly state: string;
  readonly now?: () => Date;
  /** False for a one-shot process: no watcher, and no more work than its own changes and a few others cause. */
  readonly isWatching?: boolean;
  /** False for a caller that calls `rescan` or `catchUp` itself; only without watching. */
  readonly isCatchingUp?: boolean;
  /** True to be given the service before everything is compared with the disk, which then goes on in the background; only when watching. */
  readonly isComparingLater?: boolean;
  /** Milliseconds a file that another program changed must stay unchanged before it is written to; 300 by default. */
  readonly quiet?: number;
  readonly ingest?: IngestSettings;
  /** Milliseconds a dropped file must stay unchanged before it is ingested; 3,000 by default. */
  readonly dropQuiet?: number;
  /** What `deep` may search with; by words when left out. */
  readonly deep?: DeepSettings;
  /** Called after changed files were processed, whoever changed them. */
  readonly onDone?: (done: JobReport) => void;
  /** Asked before every write to the vault; a reason refuses it, and is an alarm of {@link Service.status}. */
  readonly refuse?: () => string | null;
  /**
   * Into which markdown files `created`, `updated` and `tokens` are written: stored with the vault's state, so that it stays chosen. When left
   * out, what was chosen before, else what fits the folder.
   */
  readonly frontmatter?: FrontmatterPolicy;
  /**
   * Who asked for `frontmatter: "all"`. With it, the choice is an adoption of the notes that were there before: one change of the history, which
   * the next service goes on with, and which one undo takes back.
   */
  readonly adopter?: string;
  /** With the agents and their queue. When left out, {@link Service.memory} is null and none of their code is loaded. */
  readonly memory?: MemorySettings;
}

export interface MemorySettings
  extends
    Pick<MemoryOptions, "model" | "onBug">,
    Partial<Pick<MemoryOptions, "limits" | "retries">> {
  /** Tokens that models may read and write in one day; no limit when left out. */
  readonly dailyTokens?: number | null;
}

/** One vault with everything that keeps its frontmatter, `tree.md` and index up to date. */
export interface Service {
  readonly vault: LocalVault;
  /** Its search waits for all changes known so far. */
  readonly index: IndexReader;
  /** What models, and clients that carry text to them, are given of the vault. */
  readonly models: ReaderView;
  /** What is hidden from those. */
  readonly privates: PrivateFolders;
  /** Remembers and recalls; null without {@link ServiceOptions.memory}. */
  readonly memory: Memory | null;
  readonly ingest: Ingest;
  /** Who writes frontmatter, and how that is changed. */
  readonly frontmatter: Frontmatter;
  /** Removes for good what must not exist. */
  readonly forgetting: Forgetting;
  /** How many files are still to be indexed or stamped. */
  readonly pending: number;
  /** How many files are still to be indexed. */
  readonly unindexed: number;
  /** Calls `listener` at intervals while many files are indexed, and when that is done, until the function it returns is called. */
  onIndexing(listener: (done: number, total: number) => void): () => void;
  /** Call it when another process of ours changed these paths. Resolves when frontmatter, `tree.md` and index are up to date. */
  changed(paths: readonly VaultPath[]): Promise<void>;
  /** Compares everything with the disk. Resolves with how many files differ, before they are processed. */
  rescan(): Promise<{ readonly changed: number; readonly gone: number }>;
  /** Processes what other programs changed, unless it is much: a one-shot process leaves that to the next service. */
  catchUp(): Promise<void>;
  /** Resolves when frontmatter, `tree.md` and index include every change made through this vault. */
  settle(): Promise<void>;
  /** Resolves when nothing is left to process, files that other programs are writing included. */
  settled(): Promise<void>;
  /** True when every file that was there at the start is in the tree, false when that takes longer than a second. */
  surveyed(): Promise<boolean>;
  /** Writes nothing. */
  status(): Promise<ServiceStatus>;
  /** Calls `listener` after files were processed, until the function it returns is called. */
  onDone(listener: (done: JobReport) => void): () => void;
  close(): Promise<void>;
}
