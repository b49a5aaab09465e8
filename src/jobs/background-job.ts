import { setTimeout as pause } from "node:timers/promises";

import { isGenerated, type VaultPath } from "../vault/paths.ts";
import { treeFile } from "../vault/tree/tree-text.ts";
import type { LocalVault } from "../vault/vault.ts";
import { compareWithDisk, emptyAlarm, expandPaths, findReachable, isEmpty } from "./comparison.ts";
import { FileProcessor, QUIET, SOON, type Stage } from "./file-processor.ts";
import { FileBatch, type JobIndex } from "./file-batch.ts";
import { MarkedPaths } from "./marked-paths.ts";
import type { ProcessedFiles } from "./processed-files.ts";
import { QuietFiles } from "./quiet-files.ts";

/** Files stamped between two reports. */
const STAMP_BATCH = 100;
/** More new files than this are loaded in bulk. */
const BULK = 2000;
/** Milliseconds between two writes of `tree.md` while changes keep coming. */
const TREE_INTERVAL = 1000;
const POLL_INTERVAL = 10;
const RETRY_DELAY = 1000;
const MAX_RETRIES = 5;

export interface BackgroundJobOptions {
  readonly vault: LocalVault;
  readonly index: JobIndex;
  readonly processed: ProcessedFiles;
  readonly now: () => Date;
  /** Milliseconds a file that another program changed must stay unchanged before it is written to. */
  readonly quiet?: number;
  /** Milliseconds before a file that failed is tried again. */
  readonly retryDelay?: number;
  /** Called after files were processed. */
  readonly onDone?: (done: JobReport) => void;
  /** Called when the vault turned empty or cannot be read: call `rescan` at intervals until `alarm` is null. */
  readonly onAlarm?: () => void;
}

/** Files that changed, those of them that are new, and files that are gone. */
export type JobReport = Readonly<Record<"changed" | "created" | "gone", readonly VaultPath[]>>;

/**
 * Updates index, frontmatter and `tree.md` after changes. It never writes to a file that another program may still be writing, and
 * never changes a byte that is the person's.
 */
export class BackgroundJob {
  readonly #options: BackgroundJobOptions;
  readonly #files: FileProcessor;
  readonly #quiet: QuietFiles;
  readonly #marked = new MarkedPaths();
  /** Files to stamp as soon as nothing is left to index. */
  readonly #stampQueue = new Set<VaultPath>();
  readonly #retries = new Map<VaultPath, number>();
  #running: Promise<void> | null = null;
  #inProgress = 0;
  #isTreeStale = false;
  #treeWritten = 0;
  #alarm: string | null = null;
  #lastError: string | null = null;
  #isClosed = false;

  constructor(options: BackgroundJobOptions) {
    const { vault, processed, now, quiet = QUIET } = options;
    this.#options = options;
    this.#quiet = new QuietFiles(
      async (path) => (await findReachable(vault, path))?.version ?? null,
      (path) => this.#stampNext(path),
    );
    const stampLater = (path: VaultPath, signature: string, delay: number): void => {
      if (delay > 0) this.#quiet.add(path, signature, delay);
      else this.#stampNext(path);
    };
    this.#files = new FileProcessor({ vault, processed, now, quiet, stampLater });
  }

  /** How many files are not yet processed. */
  get pending(): number {
    return this.#marked.size + this.#inProgress + this.#stampQueue.size + this.#quiet.size;
  }

  /** Why nothing is processed at present; null when all is well. */
  get alarm(): string | null {
    return this.#alarm;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** Files whose frontmatter is not stamped, and why. */
  get left(): ReadonlyMap<VaultPath, string> {
    return this.#files.skipped;
  }

  /**
   * Something at these paths may have changed: files, or folders with all under them. They are indexed at once, and stamped when
   * their stage allows it.
   */
  mark(paths: Iterable<VaultPath>, stage: Stage): void {
    const marked = [...paths];
    for (const path of marked) this.#retries.delete(path);
    this.#mark(marked, stage);
  }

  /** Resolves when all that was marked until now is in the index. */
  async indexed(): Promise<void> {
    await this.#marked.indexed();
  }

  /** Stamps what tools wrote, and resolves when all that was marked until now is processed, except files that must stay quiet. */
  async flush(): Promise<void> {
    await this.indexed();
    for (const path of this.#quiet.takeWithin(SOON)) this.#stampNext(path);
    await this.#running;
  }

  /** Resolves when nothing is pending, and `tree.md` is up to date. */
  async settled(): Promise<void> {
    while (this.pending > 0 || this.#running !== null)
      await (this.#running ?? pause(POLL_INTERVAL));
  }

  /** Finishes what a tool wrote; what another program is writing waits for the next start. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    this.#quiet.close();
    await this.#running;
    this.#marked.close();
  }

  /**
   * Compares every file's name, size and time with the version processed last, and marks those that differ.
   * @param most when more differ, none is marked: for a process that has no time for it
   * @returns how many differ
   */
  async rescan(most = Number.POSITIVE_INFINITY): Promise<{ changed: number; gone: number }> {
    try {
      const { vault, index, processed } = this.#options;
      const found = await compareWithDisk(vault, processed, await index.signatures());
      if (typeof found === "string") {
        this.#alarm = found;
        return { changed: 0, gone: 0 };
      }
      if (found.leftovers.length > 0) await vault.sweep(found.leftovers);
      for (const path of found.links) this.#files.addLink(path);
      if (!vault.totals.isWarm || this.#alarm !== null) {
        // Files that changed since are measured when they are processed.
        vault.totals.restore(found.measured);
        this.#isTreeStale = true;
      }
      this.#alarm = null;
      const count = { changed: found.changed.length, gone: found.gone.length };
      if (count.changed + count.gone <= most)
        this.mark([...found.gone, ...found.changed, ...found.unsure], "quiet");
      this.#start();
      return count;
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

  #stampNext(path: VaultPath): void {
    this.#stampQueue.add(path);
    this.#start();
  }

  #start(): void {
    if (this.#running !== null || this.#isClosed || !this.#hasWork()) return;
    // Runs in a later microtask: what it does at once may call this again, and must find `#running` set.
    this.#running = Promise.resolve()
      .then(() => this.#run())
      .finally(() => {
        this.#running = null;
        this.#start();
      });
  }

  #hasWork(): boolean {
    return this.#marked.size + this.#stampQueue.size > 0 || this.#isTreeStale;
  }

  /** Indexes before it stamps, so that searches need not wait for the stamping of other files. */
  async #run(): Promise<void> {
    const { now } = this.#options;
    while (!this.#isClosed && this.#hasWork()) {
      if (this.#marked.size > 0) await this.#indexMarked();
      else await this.#stampQueued();
      const isIdle = this.#marked.size + this.#stampQueue.size === 0;
      const isTreeDue = isIdle || now().getTime() - this.#treeWritten > TREE_INTERVAL;
      if (this.#isTreeStale && isTreeDue) await this.#writeTree();
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
    const { files, gone, unknown } = await expandPaths(vault, processed, marked);
    // Unless a tool deleted the last file, the disk was unmounted or a sync client failed.
    const isByTool = [...marked.values()].some((stage) => stage !== "quiet");
    if (gone.length > 0 && !isByTool && (await isEmpty(vault))) {
      this.#alarm = emptyAlarm(vault, processed);
      onAlarm?.();
      return;
    }
    // Whoever changed the generated file, it is written again.
    this.#isTreeStale ||= [...marked.keys()].some((path) => !files.has(path) || isGenerated(path));
    for (const path of gone) {
      this.#files.forget(path);
      this.#quiet.remove(path);
    }
    this.#inProgress = files.size;
    const batch = new FileBatch(gone, (error, path) => this.#retryLater(error, [path]));
    const indexing = batch.process(files.keys(), (path) => {
      this.#inProgress -= 1;
      return this.#files.index(path, files.get(path) ?? "quiet");
    });
    if (files.size > BULK && (await index.stats()).files === 0) await index.load(indexing);
    else {
      await index.apply({ put: [], gone: [...gone, ...unknown] });
      await batch.put(index, indexing);
    }
    this.#finish(batch);
  }

  async #stampQueued(): Promise<void> {
    const batch = new FileBatch([], (error, path) => this.#retryLater(error, [path]));
    const stamping = batch.process(this.#takeStampQueue(), (path) => this.#files.stamp(path));
    await batch.put(this.#options.index, stamping);
    this.#finish(batch);
  }

  /** Ends early when something is marked: that is indexed first. */
  *#takeStampQueue(): Generator<VaultPath> {
    for (const path of [...this.#stampQueue].slice(0, STAMP_BATCH)) {
      if (this.#marked.size > 0 || this.#isClosed) return;
      this.#stampQueue.delete(path);
      yield path;
    }
  }

  /** Processes paths again after a delay, a bounded number of times; then they wait for their next change or a rescan. */
  #retryLater(error: unknown, paths: Iterable<VaultPath>): void {
    const { processed, retryDelay = RETRY_DELAY } = this.#options;
    this.#lastError = messageOf(error);
    const again = [...paths].filter((path) => {
      const tries = (this.#retries.get(path) ?? 0) + 1;
      this.#retries.set(path, tries);
      processed.invalidate(path);
      return tries <= MAX_RETRIES;
    });
    if (again.length > 0) setTimeout(() => this.#mark(again, "quiet"), retryDelay).unref();
  }

  /** Saves and reports what was processed. */
  #finish({ changed, created, gone, hasPut }: FileBatch): void {
    const { processed, onDone } = this.#options;
    try {
      processed.save();
      // Links to changed files: the system reports a change under one name only.
      if (changed.length > 0 || hasPut) this.#mark([...this.#files.links], "quiet");
      if (changed.length + gone.length === 0) return;
      this.#isTreeStale = true;
      onDone?.({ changed, created, gone });
    } catch (error) {
      this.#lastError = messageOf(error);
    }
  }

  async #writeTree(): Promise<void> {
    const { vault, now } = this.#options;
    this.#isTreeStale = false;
    this.#treeWritten = now().getTime();
    try {
      const root = vault.totals.get("");
      if (this.#alarm !== null || root?.kind !== "folder") return;
      // Without a watcher nobody else reports this write.
      if (await vault.writeTree(treeFile(root))) this.#mark(["tree.md"], "quiet");
    } catch (error) {
      this.#lastError = messageOf(error);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
