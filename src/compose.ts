import { messageOf } from "./errors.ts";

import type { Memory } from "./agents/memory.ts";
import type { DailyTidy } from "./agents/tidy/daily-tidy.ts";
import { DropFolder } from "./ingest/intake/drop-folder.ts";
import { createIngest, type Ingest } from "./ingest/ingest.ts";
import { Forgetting } from "./forget/forget.ts";
import { openIndex } from "./index/create-index.ts";
import { createDeepIndex } from "./index/deep/choose-engine.ts";
import type { DeepIndex } from "./index/deep/deep-index.ts";
import { BackgroundJob, type JobReport } from "./jobs/background-job.ts";
import { emptyAlarm, isEmpty } from "./jobs/comparison.ts";
import { ThreadedIndex } from "./jobs/bulk/threaded-index.ts";
import { Heartbeat } from "./jobs/heartbeat.ts";
import { ProcessedFiles } from "./jobs/processed-files.ts";
import { Rescans } from "./jobs/rescans.ts";
import { RuleChanges } from "./jobs/rule-changes.ts";
import { createWatcher, type WatchedChanges, type Watcher } from "./jobs/watch/watcher.ts";
import { MAX_WAIT, START_WAIT, untilIndexed } from "./jobs/until-indexed.ts";
import { within } from "./jobs/within.ts";
import { localTime } from "./text/local-time.ts";
import { DROP_FOLDER, isUnder, showPath, type VaultPath } from "./vault/paths.ts";
import type { MemorySettings, Service, ServiceOptions } from "./service.ts";
import type { ServiceStatus } from "./service-status.ts";
import { Frontmatter } from "./frontmatter.ts";
import { PrivateFolders } from "./private-folders.ts";
import { fileSettings } from "./settings-file.ts";
import { modelView, type ReaderView } from "./reader-view.ts";
import { createVault, type LocalVault } from "./vault/vault.ts";

export type { Service, ServiceOptions } from "./service.ts";

/** More paths at once than this are a burst, in which the system may have dropped events without a word. */
const BURST = 500;
/** A one-shot process leaves more changed files than this to the next service. */
const MAX_CATCH_UP = 500;

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
  readonly privates: PrivateFolders;
  readonly models: ReaderView;
  readonly ingest: Ingest;
  memory: Memory | null = null;
  readonly frontmatter: Frontmatter;
  readonly forgetting: Forgetting;
  readonly #drop: DropFolder;
  readonly #processed: ProcessedFiles;
  readonly #job: BackgroundJob;
  /** Null for a one-shot process, which answers nobody meanwhile. */
  readonly #threaded: ThreadedIndex | null;
  readonly #watcher: Watcher;
  readonly #heartbeat: Heartbeat;
  readonly #rescans: Rescans;
  readonly #isWatching: boolean;
  readonly #isCatchingUp: boolean;
  /** All files were compared with the index, or are about to be. */
  #isWhole: boolean;
  readonly #wanted: Pick<ServiceOptions, "adopter" | "frontmatter">;
  readonly #now: () => Date;
  readonly #listeners = new Set<(done: JobReport) => void>();
  #lastEvent: Date | null = null;
  #daily: DailyTidy | null = null;
  #dropError: string | null = null;
  #watchProblem: string | null = null;
  /** Why nothing may be written before the first comparison, or by a process that makes none; null when it may. */
  #emptied: string | null = null;
  readonly #rules = new RuleChanges(async () => {
    // A comparison that runs may have used the old rules.
    await this.#rescans.running;
    this.#watcher.rescan();
    await this.rescan();
  });
  #survey: Promise<void> = Promise.resolve();
  readonly #isComparingLater: boolean;
  /** Resolves when the first comparison with the disk is done. */
  #starting: Promise<void> = Promise.resolve();
  /** It answers before it has taken over what it found at its start. */
  #isStarting = false;
  /** Somebody was shown a part of the tree, since the first comparison was not done. */
  #wasPartial = false;

  constructor(options: ServiceOptions) {
    const { root, state, now = () => new Date(), isWatching = true, quiet, onDone } = options;
    const { ingest: settings = {}, dropQuiet } = options;
    this.#now = now;
    if (onDone !== undefined) this.#listeners.add(onDone);
    this.#isWatching = isWatching;
    this.#isCatchingUp = options.isCatchingUp ?? true;
    this.#isWhole = isWatching || this.#isCatchingUp;
    this.#wanted = options;
    this.#isComparingLater = isWatching && options.isComparingLater === true;
    this.vault = createVault({
      root,
      state,
      now,
      // An emptied vault, or one that cannot be read: its disk is not mounted, or a sync client failed.
      refuse: () => options.refuse?.() ?? this.#emptied ?? this.#job.alarm,
    });
    this.privates = new PrivateFolders(fileSettings(this.vault.state));
    this.ingest = createIngest({ vault: this.vault, now, settings });
    this.#drop = new DropFolder({
      vault: this.vault,
      ingest: this.ingest,
      onBug: (error) => {
        this.#dropError = messageOf(error);
      },
      ...(dropQuiet === undefined ? {} : { quiet: dropQuiet }),
    });
    const lexical = openIndex(this.vault.state);
    this.#threaded = isWatching
      ? new ThreadedIndex({
          root: this.vault.root,
          state: this.vault.state,
          index: lexical,
          job: () => this.#job,
          onDone: () => void this.index.followAll(),
        })
      : null;
    this.index = createDeepIndex(this.vault.state, options.deep, {
      index: this.#threaded ?? lexical,
      now,
      vault: this.vault,
      beforeSearch: async () => this.#untilIndexed(),
      isWhole: () => this.#isWhole,
      mayLeave: async (path) => this.models.sees(path),
    });
    this.models = modelView(
      this,
      () => this.privates.paths,
      async () => this.#starting,
    );
    this.#processed = new ProcessedFiles(this.vault.state);
    this.#job = new BackgroundJob({
      vault: this.vault,
      index: this.index,
      processed: this.#processed,
      now,
      policy: () => this.frontmatter.policy,
      onAlarm: () => this.#rescans.soon(),
      onDone: (done) => this.#report(done),
      ...(quiet === undefined ? {} : { quiet }),
      ...(this.#threaded === null ? {} : { bulk: this.#threaded.bulk }),
    });
    this.frontmatter = new Frontmatter({
      vault: this.vault,
      job: this.#job,
      processed: this.#processed,
      now,
      rescan: async () => {
        await this.#starting;
        return this.rescan();
      },
    });
    this.forgetting = new Forgetting({
      vault: this.vault,
      readClosed: async (file) => this.ingest.textsIn(file),
      rebuildIndex: async () => {
        await this.settled();
        await this.index.clear();
        await this.rescan();
        await this.settled();
      },
    });
    this.#heartbeat = new Heartbeat(this.vault.state, now);
    this.#watcher = createWatcher({
      root: this.vault.root,
      ignore: this.vault.ignore,
      onIgnoreFile: () => this.#rules.onChange(),
      onChanges: (changes) => this.#onWatched(changes),
      onProblem: (problem) => {
        this.#watchProblem = problem;
        this.#rescans.soon();
      },
    });
    this.#rescans = new Rescans({
      isWatching,
      job: this.#job,
      watcher: this.#watcher,
      heartbeat: this.#heartbeat,
      onStart: () => this.#drop.look(),
    });
    this.vault.onChange((change) => {
      void this.privates.follow(change);
      this.frontmatter.outdate();
      const paths = change.kind === "move" ? [change.path, change.to] : [change.path];
      this.#job.mark(paths, "soon");
    });
  }

  async start(): Promise<void> {
    if (this.#processed.size > 0 && (await isEmpty(this.vault)))
      this.#emptied = emptyAlarm(this.vault, this.#processed);
    // Before anybody is answered: a history of a newer release is refused, and callers are told who writes frontmatter.
    if (this.#emptied === null) await this.vault.finishMoves();
    await this.frontmatter.open(this.#wanted, this.#emptied !== null);
    this.#isStarting = this.#isComparingLater;
    this.vault.totals.isAwaited = this.#isComparingLater;
    this.#starting = this.#begin().finally(() => {
      this.vault.totals.isAwaited = false;
      // Those who were shown a part ask again.
      if (this.#wasPartial) this.#report({ changed: [], created: [], gone: [], isAll: true });
    });
    this.#survey = this.#starting
      .then(() => this.#job.indexed())
      .finally(() => {
        this.#isStarting = false;
      });
    if (this.#isWatching) void this.#starting.then(() => this.frontmatter.resume()).catch(() => {});
    if (!this.#isComparingLater) {
      // The caller gets the failure from the start itself.
      this.#survey.catch(() => {});
      return this.#starting;
    }
    // Nobody waits for it: a failure is shown with the others.
    this.#survey = this.#survey.catch((error: unknown) => {
      this.#watchProblem = error instanceof Error ? error.message : String(error);
    });
    this.#starting = this.#starting.catch(() => {});
  }

  async #begin(): Promise<void> {
    if (this.#isWatching) {
      // Watch first, then compare, so that no change falls between.
      await this.#watcher.start();
      void this.index.start();
    }
    if (this.#isWatching) {
      await this.#rescans.run(false);
      // From now on the job tells.
      this.#emptied = null;
    } else if (this.#isCatchingUp) await this.catchUp();
  }

  async openMemory(settings: MemorySettings): Promise<void> {
    const { openMemory } = await import("./open-memory.ts");
    const { vault, index, models } = this;
    const busy = () => (this.#job.pending > 0 ? this.#now() : this.#lastEvent);
    const lastBusy = this.#isWatching ? busy : null;
    const parts = { vault, index, models, now: this.#now, lastBusy };
    const opened = await openMemory(settings, parts);
    [this.memory, this.#daily] = [opened.memory, opened.daily];
  }

  #onWatched({ paths, isBurst }: WatchedChanges): void {
    this.#lastEvent = this.#now();
    this.frontmatter.outdate();
    this.#job.mark(paths, "quiet");
    if ([...paths].some((each) => isUnder(each, DROP_FOLDER))) this.#drop.look();
    if (isBurst || paths.size > BURST) this.#rescans.afterBurst();
  }

  async rescan(): Promise<{ changed: number; gone: number }> {
    const found = await this.#rescans.run(true);
    this.#isWhole = true;
    return found;
  }

  async changed(paths: readonly VaultPath[]): Promise<void> {
    this.#job.mark(paths, "now");
    await this.#job.flush();
  }

  #report(done: JobReport): void {
    this.frontmatter.outdate();
    for (const listener of this.#listeners) listener(done);
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

  get unindexed(): number {
    return this.#job.unindexed;
  }

  onIndexing(listener: (done: number, total: number) => void): () => void {
    return this.#threaded?.progress.listen(listener) ?? (() => {});
  }

  async surveyed(): Promise<boolean> {
    await within(this.#isStarting ? START_WAIT : MAX_WAIT, this.#survey);
    const isWhole = !this.vault.totals.isAwaited;
    this.#wasPartial ||= !isWhole;
    return isWhole;
  }

  async catchUp(): Promise<void> {
    await this.#job.rescan(MAX_CATCH_UP);
  }

  async settle(): Promise<void> {
    await this.#starting;
    await this.#rules.applied();
    await this.#rescans.running;
    await this.#job.flush();
  }

  async settled(): Promise<void> {
    await this.#starting;
    await this.#rules.applied();
    await this.#rescans.running;
    await this.#job.settled();
  }

  /** Resolves when all changes known so far are indexed; with a note for the caller when that takes too long. */
  async #untilIndexed(): Promise<string | null> {
    await this.#rules.applied();
    return untilIndexed(this.#job, this.#isStarting, this.#starting);
  }

  async status(): Promise<ServiceStatus> {
    const { rebuilt } = this.index;
    const stats = await this.index.stats();
    const rebuiltAlarm = rebuilt === null ? null : `The search index was rebuilt: ${rebuilt}.`;
    const timeOf = (date: Date | null): string | null => (date === null ? null : localTime(date));
    return {
      vault: this.vault.root,
      index: { ...stats, pending: this.#job.pending, total: stats.files + this.#job.unindexed },
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
      spent: this.memory?.spent ?? null,
      inbox: (await this.memory?.inbox.count()) ?? 0,
      queue: (await this.memory?.updates.counts()) ?? { waiting: 0, running: 0 },
      tidy: this.memory?.tidy.status() ?? { daily: false, last: null },
      alarms: [
        ...new Set(
          [this.vault.writeProblem(), this.#job.alarm, this.#watchProblem, rebuiltAlarm].filter(
            (alarm) => alarm !== null,
          ),
        ),
        ...(await this.privates.alarms(this.vault)),
        ...this.vault.ignore.problems,
        ...this.#job.keptOut.alarms,
        ...[...this.#drop.problems].map(
          ([file, problem]) => `${showPath(file)} was not ingested: ${problem}`,
        ),
      ],
      ignored: this.#job.keptOut.counts,
      ...this.frontmatter.status(),
    };
  }

  async close(): Promise<void> {
    await this.#daily?.close();
    await this.memory?.close();
    this.#rescans.close();
    this.#watcher.close();
    this.#heartbeat.close();
    await this.#drop.close();
    await this.#starting;
    await this.#rules.close();
    await this.#rescans.running;
    const rescued = await this.vault.finishLateWrites();
    this.#job.mark(rescued, "now");
    await this.#job.close();
    await this.frontmatter.close();
    await this.#threaded?.bulk.close();
    await this.index.close();
    // After the index: what it records of it is then on the disk.
    this.#processed.close();
    this.vault.close();
  }
}
