import { setTimeout as pause } from "node:timers/promises";

import { messageOf } from "../errors.ts";
import { TREE_FILE } from "../vault/files/generated-tree.ts";
import type { Left } from "../vault/files/frontmatter.ts";
import type { VaultPath } from "../vault/paths.ts";
import {
  compareWithDisk,
  emptyAlarm,
  expandPaths,
  findReachable,
  isEmpty,
  pathsToMark,
} from "./comparison.ts";
import { FileProcessor, QUIET, SOON, type Stage } from "./file-processor.ts";
import { FirstStamps } from "./stamping/first-stamps.ts";
import { FileBatch, isFirstLoad, removeAll } from "./file-batch.ts";
import type { BackgroundJobOptions } from "./job-options.ts";
import { BulkFiles } from "./bulk-files.ts";
import type { BulkFile } from "./bulk/bulk-messages.ts";
import { KeptOutPaths } from "./kept-out-paths.ts";
import { MarkedPaths } from "./marked-paths.ts";
import { QuietFiles } from "./quiet-files.ts";
import { ReadFiles } from "./read-files.ts";
import { repairTotals } from "./repair-totals.ts";
import { Retries } from "./retries.ts";
import { knownNotes } from "./stamping/stamp-all.ts";
import { StampQueue } from "./stamping/stamp-queue.ts";
import { countEdited } from "./touched-files.ts";
import { TreeUpdates } from "./tree-updates.ts";
import { inSlices, TimeSlice } from "./time-slice.ts";

const POLL_INTERVAL = 10;

export type { BackgroundJobOptions, JobReport } from "./job-options.ts";

/**
 * Updates index, frontmatter and `tree.md` after changes. It never writes to a file that another program may still be writing, and
 * never changes a byte that is the person's.
 */
export class BackgroundJob {
  readonly keptOut = new KeptOutPaths();
  /** Where the history keeps the bytes of files that get their first stamp. */
  readonly firstStamps = new FirstStamps();
  readonly #options: BackgroundJobOptions;
  readonly #files: FileProcessor;
  readonly #quiet: QuietFiles;
  readonly #marked = new MarkedPaths();
  readonly #tree: TreeUpdates;
  readonly #bulk: BulkFiles;
  readonly #read: ReadFiles;
  readonly #toStamp = new StampQueue();
  readonly #retries: Retries;
  #running: Promise<void> | null = null;
  #inProgress = 0;
  #hasCompared = false;
  #alarm: string | null = null;
  #lastError: string | null = null;
  #isClosing = false;
  #isClosed = false;

  constructor(options: BackgroundJobOptions) {
    const { vault, processed, now, policy, quiet = QUIET } = options;
    this.#options = options;
    this.#quiet = new QuietFiles(
      async (path) => (await findReachable(vault, path))?.version ?? null,
      (path, delay) => this.#stampNext(path, delay <= SOON),
    );
    const parts = { vault, processed, now, policy, quiet, firstStamps: this.firstStamps };
    this.#files = new FileProcessor({
      ...parts,
      stampLater: (path, signature, delay, order) => {
        if (delay > 0) this.#quiet.add(path, signature, delay);
        else if (order === "after bulk") this.#toStamp.hold(path);
        else this.#stampNext(path);
      },
      onFull: (error, path) => this.#retries.add(error, [path]),
    });
    this.#retries = new Retries(options, (paths) => {
      // The tree shows what could be known of them until now, or could not be written itself.
      this.#tree.outdate();
      this.#mark(paths, "quiet");
    });
    this.#tree = new TreeUpdates(options);
    this.#bulk = new BulkFiles(options, (path) => this.#files.isChanged(path));
    this.#read = new ReadFiles({
      vault,
      files: this.#files,
      bulk: this.#bulk,
      isClosed: () => this.#isClosed,
      mark: (path, stage) => this.#mark([path], stage),
      onFailed: (error, paths) => this.#retryLater(error, paths),
      onTaken: (batch) => {
        this.#finish(batch);
        this.#stampAfterBulk();
      },
    });
  }

  /** How many files are not yet processed. */
  get pending(): number {
    return this.unindexed + this.#toStamp.size + this.#quiet.size;
  }

  /** How many files are not yet in the index. */
  get unindexed(): number {
    return this.#marked.size + this.#inProgress + this.#bulk.size;
  }

  /** How many of them another thread is still to read. */
  get inBulk(): number {
    return this.#bulk.size;
  }

  /** Why nothing is processed at present; null when all is well. */
  get alarm(): string | null {
    return this.#alarm;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** Files whose frontmatter, or a key of it, is left as it is, and why. */
  get left(): ReadonlyMap<VaultPath, Left> {
    return this.#files.left;
  }

  /**
   * Something at these paths may have changed: files, or folders with all under them. They are indexed at once, and stamped when
   * their stage allows it.
   */
  mark(paths: Iterable<VaultPath>, stage: Stage): void {
    const marked = [...paths];
    this.#retries.reset(marked);
    this.#mark(marked, stage);
  }

  /** Stamps every note again, as soon as no other program may be writing it. */
  async stampAgain(): Promise<void> {
    for await (const { path, signature, delay } of knownNotes(this.#options)) {
      if (this.#isClosing) return;
      if (delay > 0) this.#quiet.add(path, signature, delay);
      else this.#stampNext(path);
    }
  }

  /** Resolves when all that was marked until now is in the index, but for what other programs changed that another thread reads. */
  async indexed(): Promise<void> {
    await this.#marked.indexed();
    await this.#bulk.untilToolsDone();
  }

  /** Resolves when all that tools wrote until now is in the index. */
  async toolsIndexed(): Promise<void> {
    await this.#marked.toolsIndexed();
    await this.#bulk.untilToolsDone();
  }

  /** Stamps what tools wrote, and resolves when all that was marked until now is processed, except files that must stay quiet. */
  async flush(): Promise<void> {
    await this.indexed();
    for (const path of this.#quiet.takeWithin(SOON)) this.#stampNext(path, true);
    await this.#running;
  }

  /** It does no more than it must: what takes long waits for the next start. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Resolves when nothing is pending, and `tree.md` is up to date; or when the job is closed. */
  async settled(): Promise<void> {
    const isAtWork = () => this.pending > 0 || this.#running !== null || this.#read.isTaking;
    while (!this.#isClosed && isAtWork()) await (this.#running ?? pause(POLL_INTERVAL));
  }

  /** Finishes what a tool wrote; what another program is writing, and the stamping of many files, wait for the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#toStamp.dropMany();
    await this.flush();
    this.#quiet.close();
    // A tree that waited for those files is written without them.
    this.#start();
    await this.#running;
    this.#isClosed = true;
    await this.#running;
    await this.#read.taken();
    this.#marked.close();
    const { processed, index } = this.#options;
    // After a failure the next process compares them.
    if (this.#hasCompared && this.#lastError === null && this.#alarm === null)
      processed.setAgreement(await index.stats());
  }

  /**
   * Compares every file's name, size and time with the version processed last, and marks those that differ.
   * @param most when more differ, none is marked: for a process that has no time for it
   * @param isThorough also compares the index, which only a failure can have made differ
   * @returns how many differ
   */
  async rescan(
    most = Number.POSITIVE_INFINITY,
    isThorough = true,
  ): Promise<{ changed: number; gone: number }> {
    try {
      const { vault, index, processed } = this.#options;
      const isFirst = !this.#hasCompared;
      this.#hasCompared = true;
      const isAgreed = isFirst
        ? processed.agreesWith(await index.stats())
        : this.#lastError === null;
      const indexed = isAgreed && !isThorough ? null : await index.signatures();
      const found = await compareWithDisk(vault, processed, indexed);
      if (typeof found === "string") {
        this.#alarm = found;
        return { changed: 0, gone: 0 };
      }
      const hadAlarm = this.#alarm !== null;
      // First, since nothing may be written while there is one.
      this.#alarm = null;
      if (found.leftovers.length > 0) await vault.sweep(found.leftovers);
      for (const path of found.links) this.#files.addLink(path);
      if (this.keptOut.update(found) || !vault.totals.isWarm || hadAlarm) {
        // Files that changed since are measured when they are processed.
        vault.totals.restore(found.measured);
        void inSlices(vault.totals.prepareNear());
        this.#tree.outdate();
      } else if ((await repairTotals(vault, processed, found)) || isThorough) this.#tree.outdate();
      const edited = isThorough ? await countEdited(found.touched, this.#options) : 0;
      this.mark(pathsToMark(vault, found, most), "quiet");
      return { changed: found.changed.length + edited, gone: found.gone.length };
    } catch (error) {
      this.#lastError = messageOf(error);
      return { changed: 0, gone: 0 };
    }
  }

  #mark(paths: readonly VaultPath[], stage: Stage): void {
    if (this.#isClosed) return;
    this.#marked.add(paths, stage);
    this.#start();
  }

  #stampNext(path: VaultPath, isByTool = false): void {
    this.#toStamp.add(path, isByTool);
    this.#start();
  }

  #start(): void {
    if (this.#running !== null || this.#isClosed || !this.#hasWork()) return;
    // Runs in a later microtask: what it does at once may call this again, and must find `#running` set.
    this.#running = Promise.resolve()
      .then(() => this.#run())
      .catch((error) => {
        this.#lastError = messageOf(error);
      })
      .finally(() => {
        this.#running = null;
        this.#start();
      });
  }

  #hasWork(): boolean {
    return this.#marked.size + this.#toStamp.ready > 0 || this.#isTreeDue();
  }

  /** Once for a change: after the frontmatter, which changes what the tree says of a file. */
  #isTreeDue(): boolean {
    return this.#tree.isDue(this.#isBusy());
  }

  #isBusy(): boolean {
    return this.#marked.size + this.#toStamp.ready + this.#quiet.size > 0;
  }

  /** Indexes before it stamps, so that searches need not wait for the stamping of other files. */
  async #run(): Promise<void> {
    while (!this.#isClosed && this.#hasWork()) {
      if (this.#marked.size > 0) await this.#indexMarked();
      else await this.#stampQueued();
      if (this.#isTreeDue()) await this.#writeTree();
    }
  }

  async #indexMarked(): Promise<void> {
    const marked = this.#marked.takeBatch();
    this.#inProgress = marked.size;
    await this.#indexBatch(marked).catch((error) => this.#retryLater(error, marked.keys()));
    this.#inProgress = 0;
    this.#marked.finishBatch();
  }

  async #indexBatch(marked: ReadonlyMap<VaultPath, Stage>): Promise<void> {
    const { vault, index, processed, onAlarm } = this.#options;
    this.#bulk.suspect(marked.keys());
    const { files, gone, unknown } = await expandPaths(vault, processed, marked);
    // Unless a tool deleted the last file, the disk was unmounted or a sync client failed.
    const isByTool = [...marked.values()].some((stage) => stage !== "quiet");
    if (gone.length > 0 && !isByTool && (await isEmpty(vault))) {
      this.#alarm = emptyAlarm(vault, processed);
      onAlarm?.();
      return;
    }
    // Whoever changed the generated file, it is written again.
    if ([...marked.keys()].some((path) => !files.has(path) || path === TREE_FILE))
      this.#tree.outdate();
    const slice = new TimeSlice();
    for (const path of gone) {
      await slice.pause();
      this.#files.forget(path);
      this.#quiet.remove(path);
      this.#toStamp.remove(path);
    }
    for (const path of gone) this.#bulk.take(path);
    await this.#bulk.start(files);
    this.#stampAfterBulk();
    this.#inProgress = files.size;
    const batch = new FileBatch(gone, (error, path) => this.#retryLater(error, [path]));
    const indexing = batch.process(files.keys(), (path) => {
      this.#inProgress -= 1;
      return this.#files.index(path, files.get(path) ?? "quiet");
    });
    if (await isFirstLoad(index, files.size)) await index.load(indexing);
    else {
      await removeAll(index, [...gone, ...unknown]);
      await batch.putAll(index, indexing);
    }
    this.#finish(batch);
  }

  /** Takes over what the other thread has read and put into the index. */
  takeRead(files: readonly BulkFile[]): void {
    this.#read.add(files);
  }

  #stampAfterBulk(): void {
    if (this.#bulk.size > 0) return;
    this.#toStamp.release();
    this.#start();
  }

  /** The other thread died: what it was to read is read here. */
  bulkDied(error: unknown): void {
    this.#lastError = messageOf(error);
    for (const [path, stage] of this.#bulk.abandon()) this.#mark([path], stage);
    this.#stampAfterBulk();
  }

  async #stampQueued(): Promise<void> {
    const batch = new FileBatch([], (error, path) => this.#retryLater(error, [path]));
    // What is marked meanwhile is indexed first.
    const paths = this.#toStamp.takeBatch(() => this.#marked.size > 0 || this.#isClosed);
    const stamping = batch.process(paths, (path) => this.#files.stamp(path));
    await batch.putAll(this.#options.index, stamping);
    this.#finish(batch);
  }

  #retryLater(error: unknown, paths: Iterable<VaultPath>): void {
    this.#lastError = messageOf(error);
    this.#retries.add(error, paths);
  }

  /** Saves and reports what was processed. */
  #finish({ changed, created, gone, put }: FileBatch): void {
    const { processed, onDone } = this.#options;
    try {
      processed.save();
    } catch (error) {
      // Saved with the next batch; without it, a restart reads these files again.
      this.#lastError = messageOf(error);
    }
    try {
      // Links to changed files: the system reports a change under one name only.
      this.#mark(this.#files.linksTo(new Set([...changed, ...put, ...gone])), "quiet");
      if (changed.length + gone.length === 0) return;
      this.#tree.outdate();
      onDone?.({ changed, created, gone });
    } catch (error) {
      this.#lastError = messageOf(error);
    }
  }

  async #writeTree(): Promise<void> {
    try {
      // Without a watcher nobody else reports this write.
      const isWritten = await this.#tree.write(this.#alarm === null, () => this.#isBusy());
      if (isWritten) this.#mark([TREE_FILE], "quiet");
    } catch (error) {
      this.#retryLater(error, [TREE_FILE]);
    }
  }
}
