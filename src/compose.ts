import path from "node:path";

import type { Memory, MemoryOptions } from "./agents/memory.ts";
import { DropFolder } from "./ingest/intake/drop-folder.ts";
import { createIngest, type Ingest } from "./ingest/ingest.ts";
import type { IngestSettings } from "./ingest/settings.ts";
import type { DeepIndex } from "./index/deep/deep-index.ts";
import type { DeepSettings } from "./index/deep/deep-settings.ts";
import { openDeepIndex } from "./index/deep/choose-engine.ts";
import type { SearchIndex, SearchOutcome, SearchRequest } from "./index/search-index.ts";
import { SqliteIndex } from "./index/lexical/sqlite-index.ts";
import { BackgroundJob, type JobReport } from "./jobs/background-job.ts";
import { Heartbeat } from "./jobs/heartbeat.ts";
import { ProcessedFiles } from "./jobs/processed-files.ts";
import { createWatcher, type WatchedChanges, type Watcher } from "./jobs/watch/watcher.ts";
import { localTime } from "./text/local-time.ts";
import { DROP_FOLDER, isUnder, showPath, type VaultPath } from "./vault/paths.ts";
import type { ServiceStatus } from "./service-status.ts";
import { createVault, type Vault } from "./vault/vault.ts";

export interface ServiceOptions {
  /** The folder of notes. It must exist. */
  readonly root: string;
  /** Where everything else is kept: outside the vault. */
  readonly state: string;
  readonly now?: () => Date;
  /** False for a process that only passes by: it deals with what it is told, and watches nothing. */
  readonly isWatching?: boolean;
  /** False for a caller that calls `rescan` or `catchUp` itself; only without watching. */
  readonly isCatchingUp?: boolean;
  /** Milliseconds a file that another program changed must stay as it is before it is written to: 300 unless told. */
  readonly quiet?: number;
  readonly ingest?: IngestSettings;
  /** Milliseconds a dropped file must stay as it is before it is ingested: 3,000 unless told. */
  readonly dropQuiet?: number;
  /** What `deep` may search with; by words when left out. */
  readonly deep?: DeepSettings;
  /** Hears of files that were dealt with after a change, whoever made it. */
  readonly onDone?: (done: JobReport) => void;
  /** With the agents and their queue. Left out, there is no {@link Service.memory}, and nothing of it is loaded. */
  readonly memory?: MemorySettings;
}

export interface MemorySettings
  extends
    Pick<MemoryOptions, "model" | "onBug">,
    Partial<Pick<MemoryOptions, "limits" | "retries">> {}

/** One vault with all that keeps it right: the rooms of the house, joined. */
export interface Service {
  readonly vault: Vault;
  /** Its search waits for all changes known so far. */
  readonly index: SearchIndex;
  /** Remembers and recalls; null when it was not asked for. */
  readonly memory: Memory | null;
  readonly ingest: Ingest;
  /** How many files are still to be indexed or stamped. */
  readonly pending: number;
  /** These paths were changed by another process of ours just now: resolves when frontmatter, tree.md and index are right again. */
  changed(paths: readonly VaultPath[]): Promise<void>;
  /** Compares everything with the disk; how many files are looked at anew. */
  rescan(): Promise<{ readonly changed: number; readonly gone: number }>;
  /** Processes what other programs changed, unless it is much: a one-shot process leaves that to the next service. */
  catchUp(): Promise<void>;
  /** Resolves when frontmatter, `tree.md` and index have followed every change made through this vault. */
  settle(): Promise<void>;
  /** Resolves when there is nothing left to do, also for files that other programs are writing. */
  settled(): Promise<void>;
  /** Resolves when every file that was there at the start is known, or false when that takes too long: before, the tree is not whole. */
  surveyed(): Promise<boolean>;
  status(): Promise<ServiceStatus>;
  /** Calls `listener` after files were dealt with, until the function it returns is called. */
  onDone(listener: (done: JobReport) => void): () => void;
  close(): Promise<void>;
}

/** How often everything is compared with the disk, in milliseconds: when all is well, and when changes may go unseen. */
const LONG = 10 * 60_000;
const SHORT = 2000;
/** Looking at everything again and again may take up one part in so many of the time. */
const MOST_SHARE = 20;
/** So many paths at once are a burst, after which everything is compared: the system drops events without a word. */
const BURST = 500;
const AFTER_BURST = 500;
/** A process that only passes by deals with so many other files that changed; a service will deal with more. */
const MOST_IN_PASSING = 500;
/** How long a search waits for changes to be dealt with before it answers without them, and the tree for the first look at everything. */
const PATIENCE = 10_000;

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
  readonly vault: Vault;
  readonly index: SearchIndex;
  readonly ingest: Ingest;
  readonly #drop: DropFolder;
  #dropError: string | null = null;
  readonly #index: SqliteIndex;
  readonly #deep: DeepIndex;
  readonly #processed: ProcessedFiles;
  readonly #job: BackgroundJob;
  readonly #watcher: Watcher;
  readonly #heartbeat: Heartbeat;
  readonly #isWatching: boolean;
  readonly #isCatchingUp: boolean;
  #lastEvent: Date | null = null;
  readonly #now: () => Date;
  readonly #listeners = new Set<(done: JobReport) => void>();
  memory: Memory | null = null;
  #problem: string | null = null;
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
    this.#index = new SqliteIndex(path.join(this.vault.state, "index"));
    this.#deep = openDeepIndex(this.#index, this.vault.state, { now, deep: options.deep });
    this.#processed = new ProcessedFiles(this.vault.state);
    this.#job = new BackgroundJob({
      vault: this.vault,
      index: this.#deep,
      processed: this.#processed,
      now,
      onAlarm: () => this.#scanIn(SHORT),
      onDone: (done) => {
        for (const listener of this.#listeners) listener(done);
      },
      ...(quiet === undefined ? {} : { quiet }),
    });
    this.index = new PatientIndex(this.#deep, this.#job);
    this.#heartbeat = new Heartbeat(this.vault.state, now);
    this.#watcher = createWatcher({
      root: this.vault.root,
      onChanges: (changes) => this.#heard(changes),
      onProblem: (problem) => {
        this.#problem = problem;
        this.#scanIn(SHORT);
      },
    });
    this.vault.onChange((change) => {
      const paths = change.kind === "move" ? [change.path, change.to] : [change.path];
      this.#job.mark(paths, "soon");
    });
  }

  async start(): Promise<void> {
    // First the watches, then the look at everything: nothing falls between.
    if (this.#isWatching) await this.#watcher.start();
    // A process that only passes by leaves it to the next service, which compares.
    if (this.#isWatching) void this.#deep.start();
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
    const now = this.#now;
    this.memory = await createMemory({
      ...settings,
      vault,
      index,
      now,
      createQueue: (work) => new SqliteUpdateQueue({ ...work, state }),
    });
  }

  #heard({ paths, isBurst }: WatchedChanges): void {
    this.#lastEvent = this.#now();
    this.#job.mark(paths, "quiet");
    if ([...paths].some((each) => isUnder(each, DROP_FOLDER))) this.#drop.look();
    if (isBurst || paths.size > BURST) this.#scanIn(AFTER_BURST);
  }

  /** Compares with the disk after so many milliseconds, and from then on at intervals. */
  #scanIn(milliseconds: number): void {
    if (!this.#isWatching) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#watcher.rescan();
      void this.rescan();
    }, milliseconds);
    this.#timer.unref();
  }

  async rescan(): Promise<{ changed: number; gone: number }> {
    const started = performance.now();
    if (this.#isWatching) this.#drop.look();
    this.#scanning ??= this.#job.rescan().finally(() => {
      this.#scanning = null;
      const isUnsure = this.#job.alarm !== null || this.#watcher.unwatched > 0;
      const took = performance.now() - started;
      this.#scanIn(isUnsure ? Math.max(SHORT, took * MOST_SHARE) : LONG);
    });
    return this.#scanning;
  }

  async changed(paths: readonly VaultPath[]): Promise<void> {
    this.#job.mark(paths, "now");
    await this.#job.flush();
  }

  onDone(listener: (done: JobReport) => void): () => void {
    // One of its own for each call: the same function may listen twice.
    const own = (done: JobReport): void => listener(done);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  get pending(): number {
    return this.#job.pending;
  }

  async surveyed(): Promise<boolean> {
    return within(PATIENCE, this.#survey);
  }

  async catchUp(): Promise<void> {
    await this.#job.rescan(MOST_IN_PASSING);
  }

  async settle(): Promise<void> {
    await this.#scanning;
    await this.#job.flush();
  }

  async settled(): Promise<void> {
    await this.#scanning;
    await this.#job.settled();
  }

  async status(): Promise<ServiceStatus> {
    const isAlive = this.#isWatching && (await this.#heartbeat.beat());
    const { engine, files, chunks, bytes } = this.#index.stats();
    const alarms = [this.#job.alarm, this.#problem].filter((alarm) => alarm !== null);
    const timeOf = (date: Date | null): string | null => (date === null ? null : localTime(date));
    return {
      vault: this.vault.root,
      index: { engine, files, chunks, bytes, pending: this.#job.pending },
      deep: this.#deep.status(),
      watcher: {
        alive: isAlive,
        folders: this.#watcher.folders,
        unwatched: this.#watcher.unwatched,
        lastEvent: timeOf(this.#lastEvent),
        heartbeat: timeOf(this.#heartbeat.last),
      },
      lastError: this.#job.lastError ?? this.#dropError,
      model: this.memory?.model ?? null,
      inbox: (await this.memory?.inbox.count()) ?? 0,
      queue: (await this.memory?.updates.counts()) ?? { waiting: 0, running: 0 },
      alarms: this.#index.rebuilt === null ? alarms : [...alarms, this.#rebuilt()],
      left: [...this.#job.left].map(([file, problem]) => ({ path: showPath(file), problem })),
    };
  }

  #rebuilt(): string {
    return `The search index was made anew: ${this.#index.rebuilt}.`;
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
    await this.#deep.stop();
    this.#index.close();
    this.vault.close();
  }
}

/** The index as callers see it: a search waits for what is known to have changed. */
class PatientIndex implements SearchIndex {
  readonly #index: DeepIndex;
  readonly #job: BackgroundJob;

  constructor(index: DeepIndex, job: BackgroundJob) {
    this.#index = index;
    this.#job = job;
  }

  async search(request: SearchRequest): Promise<SearchOutcome> {
    const isUpToDate = await within(PATIENCE, this.#job.indexed());
    const outcome = await this.#index.search(request);
    if (isUpToDate) return outcome;
    const note = `${this.#job.pending} files are still being indexed: search again for what they say`;
    return { ...outcome, notes: [...outcome.notes, note] };
  }

  put(...args: Parameters<DeepIndex["put"]>): Promise<void> {
    return this.#index.put(...args);
  }

  remove(...args: Parameters<DeepIndex["remove"]>): Promise<void> {
    return this.#index.remove(...args);
  }

  move(...args: Parameters<DeepIndex["move"]>): Promise<void> {
    return this.#index.move(...args);
  }

  stats(): ReturnType<DeepIndex["stats"]> {
    return this.#index.stats();
  }

  close(): void {
    this.#index.close();
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
