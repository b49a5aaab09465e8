import type { Memory, MemoryOptions } from "./agents/memory.ts";
import { DropFolder } from "./ingest/intake/drop-folder.ts";
import { createIngest, type Ingest } from "./ingest/ingest.ts";
import type { IngestSettings } from "./ingest/ingest.ts";
import { openIndex } from "./index/create-index.ts";
import { createDeepIndex } from "./index/deep/choose-engine.ts";
import type { DeepIndex } from "./index/deep/deep-index.ts";
import type { DeepSettings } from "./index/deep/deep-settings.ts";
import type { IndexReader } from "./index/search-index.ts";
import { BackgroundJob, type JobReport } from "./jobs/background-job.ts";
import { Heartbeat } from "./jobs/heartbeat.ts";
import { ProcessedFiles } from "./jobs/processed-files.ts";
import { createWatcher, type WatchedChanges, type Watcher } from "./jobs/watch/watcher.ts";
import { localTime } from "./text/local-time.ts";
import { DROP_FOLDER, isUnder, showPath, type VaultPath } from "./vault/paths.ts";
import type { ServiceStatus } from "./service-status.ts";
import { createVault, type LocalVault } from "./vault/vault.ts";

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
  /** Milliseconds a file that another program changed must stay unchanged before it is written to; 300 by default. */
  readonly quiet?: number;
  readonly ingest?: IngestSettings;
  /** Milliseconds a dropped file must stay unchanged before it is ingested; 3,000 by default. */
  readonly dropQuiet?: number;
  /** What `deep` may search with; by words when left out. */
  readonly deep?: DeepSettings;
  /** Called after changed files were processed, whoever changed them. */
  readonly onDone?: (done: JobReport) => void;
  /** With the agents and their queue. When left out, {@link Service.memory} is null and none of their code is loaded. */
  readonly memory?: MemorySettings;
}

export interface MemorySettings
  extends
    Pick<MemoryOptions, "model" | "onBug">,
    Partial<Pick<MemoryOptions, "limits" | "retries">> {}

/** One vault with everything that keeps its frontmatter, `tree.md` and index up to date. */
export interface Service {
  readonly vault: LocalVault;
  /** Its search waits for all changes known so far. */
  readonly index: IndexReader;
  /** Remembers and recalls; null without {@link ServiceOptions.memory}. */
  readonly memory: Memory | null;
  readonly ingest: Ingest;
  /** How many files are still to be indexed or stamped. */
  readonly pending: number;
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
  /** True when every file that was there at the start is in the tree, false when that takes longer than 10 seconds. */
  surveyed(): Promise<boolean>;
  /** Writes nothing. */
  status(): Promise<ServiceStatus>;
  /** Calls `listener` after files were processed, until the function it returns is called. */
  onDone(listener: (done: JobReport) => void): () => void;
  close(): Promise<void>;
}

/** Milliseconds until everything is compared with the disk again: when all is well, when changes may go unseen, and after a burst of them. */
const RESCAN = 10 * 60_000;
const RESCAN_UNSURE = 2000;
const RESCAN_AFTER_BURST = 500;
/** Repeated comparisons may take up one part in this many of the time. */
const MAX_RESCAN_SHARE = 20;
/** More paths at once than this are a burst, in which the system may have dropped events without a word. */
const BURST = 500;
/** A one-shot process leaves more changed files than this to the next service. */
const MAX_CATCH_UP = 500;
/** Milliseconds that a search waits for changes to be indexed, and the tree for the first comparison. */
const MAX_WAIT = 10_000;

/** Opens a vault with its index, and keeps both right until it is closed. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const service = new OpenService(options);
  try {
    await service.start();
    if (options.memory !== undefined) await service.openMemory(options.memory);
  } catch (error) {
    await service.close();
    throw error;
  }
  return service;
}

class OpenService implements Service {
  readonly vault: LocalVault;
  readonly index: DeepIndex;
  readonly ingest: Ingest;
  memory: Memory | null = null;
  readonly #drop: DropFolder;
  readonly #processed: ProcessedFiles;
  readonly #job: BackgroundJob;
  readonly #watcher: Watcher;
  readonly #heartbeat: Heartbeat;
  readonly #isWatching: boolean;
  readonly #isCatchingUp: boolean;
  readonly #now: () => Date;
  readonly #listeners = new Set<(done: JobReport) => void>();
  #lastEvent: Date | null = null;
  #dropError: string | null = null;
  #watchProblem: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #scanning: Promise<{ changed: number; gone: number }> | null = null;
  #survey: Promise<void> = Promise.resolve();

  constructor(options: ServiceOptions) {
    const { root, state, now = () => new Date(), isWatching = true, quiet, onDone } = options;
    const { ingest: settings = {}, dropQuiet } = options;
    this.#now = now;
    if (onDone !== undefined) this.#listeners.add(onDone);
    this.#isWatching = isWatching;
    this.#isCatchingUp = options.isCatchingUp ?? true;
    this.vault = createVault({ root, state, now });
    this.ingest = createIngest({ vault: this.vault, now, settings });
    this.#drop = new DropFolder({
      vault: this.vault,
      ingest: this.ingest,
      onBug: (error) => {
        this.#dropError = error instanceof Error ? error.message : String(error);
      },
      ...(dropQuiet === undefined ? {} : { quiet: dropQuiet }),
    });
    this.index = createDeepIndex(this.vault.state, options.deep, {
      index: openIndex(this.vault.state),
      now,
      beforeSearch: async () => this.#untilIndexed(),
    });
    this.#processed = new ProcessedFiles(this.vault.state);
    this.#job = new BackgroundJob({
      vault: this.vault,
      index: this.index,
      processed: this.#processed,
      now,
      onAlarm: () => this.#rescanIn(RESCAN_UNSURE),
      onDone: (done) => {
        for (const listener of this.#listeners) listener(done);
      },
      ...(quiet === undefined ? {} : { quiet }),
    });
    this.#heartbeat = new Heartbeat(this.vault.state, now);
    this.#watcher = createWatcher({
      root: this.vault.root,
      onChanges: (changes) => this.#onWatched(changes),
      onProblem: (problem) => {
        this.#watchProblem = problem;
        this.#rescanIn(RESCAN_UNSURE);
      },
    });
    this.vault.onChange((change) => {
      const paths = change.kind === "move" ? [change.path, change.to] : [change.path];
      this.#job.mark(paths, "soon");
    });
  }

  async start(): Promise<void> {
    if (this.#isWatching) {
      // Watch first, then compare, so that no change falls between.
      await this.#watcher.start();
      void this.index.start();
    }
    await this.vault.finishMoves();
    if (this.#isWatching) await this.rescan();
    else if (this.#isCatchingUp) await this.catchUp();
    this.#survey = this.#job.indexed();
  }

  async openMemory(settings: MemorySettings): Promise<void> {
    const { createMemory } = await import("./agents/memory.ts");
    const { SqliteUpdateQueue } = await import("./agents/queue/sqlite-update-queue.ts");
    const { vault, index } = this;
    const { state } = vault;
    this.memory = await createMemory({
      ...settings,
      vault,
      index,
      now: this.#now,
      createQueue: (work) => new SqliteUpdateQueue({ ...work, state }),
    });
  }

  #onWatched({ paths, isBurst }: WatchedChanges): void {
    this.#lastEvent = this.#now();
    this.#job.mark(paths, "quiet");
    if ([...paths].some((each) => isUnder(each, DROP_FOLDER))) this.#drop.look();
    if (isBurst || paths.size > BURST) this.#rescanIn(RESCAN_AFTER_BURST);
  }

  #rescanIn(milliseconds: number): void {
    if (!this.#isWatching) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#watcher.rescan();
      void this.rescan();
    }, milliseconds);
    this.#timer.unref();
  }

  async rescan(): Promise<{ changed: number; gone: number }> {
    if (this.#isWatching) this.#drop.look();
    this.#scanning ??= this.#rescan().finally(() => {
      this.#scanning = null;
    });
    return this.#scanning;
  }

  /** Tests the watcher on the way, and repeats itself at intervals. */
  async #rescan(): Promise<{ changed: number; gone: number }> {
    const started = performance.now();
    const heartbeat = this.#isWatching ? this.#heartbeat.beat() : null;
    const found = await this.#job.rescan();
    const isUnsure = this.#job.alarm !== null || this.#watcher.unwatched > 0;
    const took = performance.now() - started;
    this.#rescanIn(isUnsure ? Math.max(RESCAN_UNSURE, took * MAX_RESCAN_SHARE) : RESCAN);
    await heartbeat;
    return found;
  }

  async changed(paths: readonly VaultPath[]): Promise<void> {
    this.#job.mark(paths, "now");
    await this.#job.flush();
  }

  onDone(listener: (done: JobReport) => void): () => void {
    // A function for each call: the same listener may be added twice.
    const own = (done: JobReport): void => listener(done);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  get pending(): number {
    return this.#job.pending;
  }

  async surveyed(): Promise<boolean> {
    return within(MAX_WAIT, this.#survey);
  }

  async catchUp(): Promise<void> {
    await this.#job.rescan(MAX_CATCH_UP);
  }

  async settle(): Promise<void> {
    await this.#scanning;
    await this.#job.flush();
  }

  async settled(): Promise<void> {
    await this.#scanning;
    await this.#job.settled();
  }

  /** Resolves when all changes known so far are indexed; with a note for the caller when that takes too long. */
  async #untilIndexed(): Promise<string | null> {
    if (await within(MAX_WAIT, this.#job.indexed())) return null;
    return `${this.#job.pending} files are still being indexed: search again for what they say`;
  }

  async status(): Promise<ServiceStatus> {
    const { rebuilt } = this.index;
    const rebuiltAlarm = rebuilt === null ? null : `The search index was rebuilt: ${rebuilt}.`;
    const timeOf = (date: Date | null): string | null => (date === null ? null : localTime(date));
    return {
      vault: this.vault.root,
      index: { ...(await this.index.stats()), pending: this.#job.pending },
      deep: await this.index.status(),
      watcher: {
        alive: this.#heartbeat.isAlive,
        folders: this.#watcher.folders,
        unwatched: this.#watcher.unwatched,
        lastEvent: timeOf(this.#lastEvent),
        heartbeat: timeOf(this.#heartbeat.last),
      },
      lastError: this.#job.lastError ?? this.#dropError,
      model: this.memory?.model ?? null,
      inbox: (await this.memory?.inbox.count()) ?? 0,
      queue: (await this.memory?.updates.counts()) ?? { waiting: 0, running: 0 },
      alarms: [this.#job.alarm, this.#watchProblem, rebuiltAlarm].filter((alarm) => alarm !== null),
      left: [...this.#job.left].map(([file, problem]) => ({ path: showPath(file), problem })),
    };
  }

  async close(): Promise<void> {
    await this.memory?.close();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#watcher.close();
    this.#heartbeat.close();
    await this.#drop.close();
    await this.#scanning;
    const rescued = await this.vault.finishLateWrites();
    this.#job.mark(rescued, "now");
    await this.#job.close();
    this.#processed.close();
    await this.index.close();
    this.vault.close();
  }
}

/** False when `work` takes longer. */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
