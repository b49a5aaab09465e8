import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

import type { IndexedFile, SearchIndex } from "../index/search-index.ts";
import { ExpectedError } from "../errors.ts";
import { isGenerated, type VaultPath } from "../vault/paths.ts";
import { treeFile } from "../vault/tree/tree-text.ts";
import type { LocalVault } from "../vault/vault.ts";
import { compareWithDisk, type Comparison } from "./comparison.ts";
import { FileWork, QUIET, SOON, type Outcome, type Stage } from "./file-processor.ts";
import type { Records } from "./processed-files.ts";
import { Rounds } from "./batch-barrier.ts";
import { Waiting } from "./quiet-files.ts";

/** Files read into memory at once, to be indexed in one transaction. */
const BATCH = 100;
/** More new files than this are loaded in bulk. */
const MANY = 2000;
/** While changes keep coming, `tree.md` is written this often, in milliseconds. */
const TREE_EVERY = 1000;
const LOOK_AGAIN = 10;
const RETRY = 1000;
const MOST_RETRIES = 5;
const STAGES: readonly Stage[] = ["quiet", "soon", "now"];

/** The part of an index that the job uses. */
export type JobIndex = Pick<SearchIndex, "signatures" | "stats" | "load" | "apply">;

export interface BackgroundJobOptions {
  readonly vault: LocalVault;
  readonly index: JobIndex;
  readonly records: Records;
  readonly now: () => Date;
  /** Milliseconds a file that another program changed must stay as it is before it is written to. */
  readonly quiet?: number;
  /** Hears of what was dealt with: files that changed, and files that are gone. */
  readonly onDone?: (done: JobReport) => void;
  /** The vault turned empty or cannot be read: call `rescan` from time to time. */
  readonly onAlarm?: () => void;
}

export interface JobReport {
  /** New ones among them. */
  readonly changed: readonly VaultPath[];
  readonly created: readonly VaultPath[];
  readonly gone: readonly VaultPath[];
}

/**
 * Makes index, frontmatter and `tree.md` right after changes. It never writes to a file that another program may still be writing, and
 * never changes a byte that is the person's.
 */
export class BackgroundJob {
  readonly #vault: LocalVault;
  readonly #index: JobIndex;
  readonly #records: Records;
  readonly #onDone: (done: JobReport) => void;
  readonly #onAlarm: () => void;
  readonly #files: FileWork;
  readonly #waiting: Waiting;
  readonly #rounds = new Rounds();
  /** Paths where something may have changed. */
  #marked = new Map<VaultPath, Stage>();
  /** Files to be stamped. */
  readonly #due = new Set<VaultPath>();
  readonly #retries = new Map<VaultPath, number>();
  #running: Promise<void> | null = null;
  #inHand = 0;
  #isTreeDue = false;
  #treeWritten = 0;
  #alarm: string | null = null;
  #lastError: string | null = null;
  #isClosed = false;

  constructor(options: BackgroundJobOptions) {
    const { vault, index, records, now, quiet = QUIET, onDone, onAlarm } = options;
    this.#vault = vault;
    this.#index = index;
    this.#records = records;
    this.#onDone = onDone ?? (() => {});
    this.#onAlarm = onAlarm ?? (() => {});
    this.#files = new FileWork({
      vault,
      records,
      now,
      quiet,
      stampLater: (path, signature, delay) => {
        if (delay > 0) this.#waiting.add(path, signature, delay);
        else this.#stampNow([path]);
      },
    });
    this.#waiting = new Waiting(
      async (path) => (await this.#files.find(path))?.version ?? null,
      (paths) => this.#stampNow(paths),
    );
  }

  /** Files not yet dealt with. */
  get pending(): number {
    return this.#marked.size + this.#inHand + this.#due.size + this.#waiting.size;
  }

  /** Why the vault is not touched at present; null when it is. */
  get alarm(): string | null {
    return this.#alarm;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** Files whose frontmatter is left as it is, and why. */
  get left(): ReadonlyMap<VaultPath, string> {
    return this.#files.left;
  }

  /**
   * Something at these paths may have changed: files, or folders with all under them. They are indexed at once, and their
   * frontmatter is made right when their stage lets it.
   */
  mark(paths: Iterable<VaultPath>, stage: Stage): void {
    if (this.#isClosed) return;
    for (const path of paths) {
      const before = this.#marked.get(path) ?? "quiet";
      const isLater = STAGES.indexOf(stage) > STAGES.indexOf(before);
      this.#marked.set(path, isLater ? stage : before);
    }
    this.#start();
  }

  #stampNow(paths: Iterable<VaultPath>): void {
    for (const path of paths) this.#due.add(path);
    this.#start();
  }

  #start(): void {
    const isIdle = this.#marked.size === 0 && this.#due.size === 0 && !this.#isTreeDue;
    if (this.#running !== null || isIdle || this.#isClosed) return;
    // Not before it is known to run: what it does at once may start it again.
    this.#running = Promise.resolve()
      .then(() => this.#run())
      .finally(() => {
        this.#running = null;
        this.#start();
      });
  }

  /** Resolves when all that was marked until now is in the index. */
  async indexed(): Promise<void> {
    await this.#rounds.until(this.#marked.size > 0);
  }

  /** Resolves when all that was marked until now is dealt with; files that must stay quiet first may still wait. */
  async dealt(): Promise<void> {
    await this.indexed();
    await this.#running;
  }

  /** Stamps what tools wrote without its usual delay. Resolves when all that was marked until now is processed. */
  async flush(): Promise<void> {
    await this.indexed();
    this.#stampNow(this.#waiting.takeWithin(SOON));
    await this.#running;
  }

  /** Resolves when there is nothing left to do: no file waits to become quiet, and `tree.md` is right. */
  async settled(): Promise<void> {
    while (this.pending > 0 || this.#running !== null) {
      if (this.#running === null) await pause(LOOK_AGAIN);
      else await this.#running;
    }
  }

  /** Finishes what a tool wrote; what another program is writing waits for the next start. */
  async close(): Promise<void> {
    await this.#running;
    this.#stampNow(this.#waiting.takeWithin(SOON));
    await this.#running;
    this.#isClosed = true;
    this.#waiting.close();
    await this.#running;
    this.#rounds.close();
  }

  /** What was just changed goes first, so that searches need not wait for the stamping of others. */
  async #run(): Promise<void> {
    while (!this.#isClosed && this.#marked.size + this.#due.size > 0) {
      if (this.#marked.size > 0) await this.#noteMarked();
      else await this.#stampDue();
      if (this.#isTreeDue && performance.now() - this.#treeWritten > TREE_EVERY)
        await this.#writeTree();
    }
    if (this.#isTreeDue && !this.#isClosed) await this.#writeTree();
  }

  async #noteMarked(): Promise<void> {
    const batch = this.#marked;
    this.#marked = new Map();
    this.#rounds.begin();
    this.#inHand = batch.size;
    try {
      await this.#note(batch);
    } catch (error) {
      this.#failed(error, batch.keys());
    }
    this.#inHand = 0;
    this.#rounds.end();
  }

  async #note(batch: ReadonlyMap<VaultPath, Stage>): Promise<void> {
    const { files, gone, unknown } = await this.#expand(batch);
    // An unmounted disk or a sync client gone astray, and not a tool that deleted the last file.
    const isToldSo = [...batch.values()].some((stage) => stage !== "quiet");
    if (gone.length > 0 && !isToldSo && (await this.#isEmpty())) {
      this.#alarm = this.#emptyAlarm();
      this.#onAlarm();
      return;
    }
    for (const path of gone) {
      this.#files.forget(path);
      this.#waiting.drop(path);
    }
    const changed: VaultPath[] = [];
    const created: VaultPath[] = [];
    const done = { changed, created, gone };
    if (files.size > MANY && (await this.#index.stats()).files === 0) {
      await this.#index.load(this.#noting(files, done));
    } else {
      await this.#index.apply({ put: [], gone: [...gone, ...unknown] });
      await this.#putAll(this.#noting(files, done));
    }
    this.#rounds.end();
    this.#finish(done);
  }

  async *#noting(
    files: ReadonlyMap<VaultPath, Stage>,
    { changed, created }: { changed: VaultPath[]; created: VaultPath[] },
  ): AsyncGenerator<IndexedFile> {
    for (const [path, stage] of files) {
      const isNew = this.#records.get(path) === undefined;
      const { put, isChanged } = await this.#try(path, () => this.#files.note(path, stage));
      this.#inHand = Math.max(0, this.#inHand - 1);
      if (isChanged) changed.push(path);
      if (isChanged && isNew) created.push(path);
      // Ours, or somebody's idea of it: looked at, it is made right.
      if (isGenerated(path)) this.#isTreeDue = true;
      if (put !== null) yield put;
    }
  }

  /** Stamps files until something new is marked. */
  async #stampDue(): Promise<void> {
    const changed: VaultPath[] = [];
    try {
      await this.#putAll(this.#stamping(changed));
      this.#finish({ changed, created: [], gone: [] });
    } catch (error) {
      this.#failed(error, changed);
    }
  }

  async *#stamping(changed: VaultPath[]): AsyncGenerator<IndexedFile> {
    for (const path of this.#due) {
      if (this.#marked.size > 0 || this.#isClosed) return;
      this.#due.delete(path);
      const { put, isChanged } = await this.#try(path, () => this.#files.stamp(path));
      if (isChanged) changed.push(path);
      if (put !== null) yield put;
    }
  }

  async #putAll(files: AsyncIterable<IndexedFile>): Promise<void> {
    let put: IndexedFile[] = [];
    for await (const file of files) {
      put.push(file);
      if (put.length < BATCH) continue;
      await this.#index.apply({ put, gone: [] });
      put = [];
      await nextTurn();
    }
    await this.#index.apply({ put, gone: [] });
  }

  async #try(path: VaultPath, work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await work();
      this.#retries.delete(path);
      return outcome;
    } catch (error) {
      this.#failed(error, [path]);
      return { put: null, isChanged: false };
    }
  }

  #finish(done: JobReport): void {
    const { changed, gone } = done;
    this.#records.save();
    if (changed.length + gone.length === 0) return;
    this.#isTreeDue = true;
    // Other names of the same files: the system tells of a change under one name only.
    if (changed.length > 0) this.mark(this.#files.links, "quiet");
    this.#onDone(done);
  }

  /** The files to look at: those marked, those in folders marked, and those known that are no longer there. */
  async #expand(batch: ReadonlyMap<VaultPath, Stage>): Promise<{
    files: Map<VaultPath, Stage>;
    gone: VaultPath[];
    /** Not there, and not known: the index may still have them. */
    unknown: VaultPath[];
  }> {
    const files = new Map<VaultPath, Stage>();
    const gone = new Set<VaultPath>();
    const unknown: VaultPath[] = [];
    for (const [path, stage] of batch) {
      const found = await this.#files.find(path);
      if (found?.kind === "file") {
        files.set(path, stage);
        continue;
      }
      const known = new Set(this.#records.at(path));
      if (found === null && known.size === 0) unknown.push(path);
      if (found?.kind === "folder") {
        for await (const { path: inside } of this.#vault.walk(path)) {
          if (!files.has(inside)) files.set(inside, stage);
          known.delete(inside);
        }
      }
      for (const each of known) if ((await this.#files.find(each))?.kind !== "file") gone.add(each);
      this.#vault.totals.refresh(path);
      this.#isTreeDue = true;
    }
    return { files, gone: [...gone], unknown };
  }

  /** Tries again a little later, a few times. */
  #failed(error: unknown, paths: Iterable<VaultPath>): void {
    this.#lastError = error instanceof Error ? error.message : String(error);
    const again = [...paths].filter((path) => {
      const tried = (this.#retries.get(path) ?? 0) + 1;
      this.#retries.set(path, tried);
      return tried <= MOST_RETRIES;
    });
    setTimeout(() => this.mark(again, "quiet"), RETRY).unref();
  }

  async #writeTree(): Promise<void> {
    this.#isTreeDue = false;
    this.#treeWritten = performance.now();
    if (this.#alarm !== null) return;
    const root = this.#vault.totals.get("");
    if (root?.kind !== "folder") return;
    try {
      // Without a watcher nobody else reports it.
      if (await this.#vault.writeTree(treeFile(root))) this.mark(["tree.md"], "quiet");
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
    }
  }

  async #isEmpty(): Promise<boolean> {
    try {
      return (await this.#vault.list("")).length === 0;
    } catch {
      return true;
    }
  }

  #emptyAlarm(): string {
    return `The vault ${this.#vault.root} is empty or cannot be read, though ${this.#records.size} files are known. Nothing was forgotten. Is its disk mounted, its folder moved?`;
  }

  /**
   * Compares every file's name, size and time with what is known, and deals with those that differ.
   * @param most when more differ, none is dealt with: for a process that has no time for it
   * @returns how many there are, before they are dealt with
   */
  async rescan(most = Number.POSITIVE_INFINITY): Promise<{ changed: number; gone: number }> {
    try {
      return await this.#rescan(most);
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      return { changed: 0, gone: 0 };
    }
  }

  async #rescan(most: number): Promise<{ changed: number; gone: number }> {
    const found = await this.#compare();
    if (found === null) return { changed: 0, gone: 0 };
    const isBack = this.#alarm !== null;
    this.#alarm = null;
    if (found.leftovers.length > 0) await this.#vault.sweep(found.leftovers);
    for (const [path, { isLink }] of found.files) if (isLink) this.#files.addLink(path);
    if (!this.#vault.totals.isWarm || isBack) this.#warm(found);
    const count = { changed: found.changed.length, gone: found.gone.length };
    if (count.changed + count.gone > most) return count;
    this.mark(found.gone, "quiet");
    this.mark(found.changed, "quiet");
    this.mark(found.unsure, "quiet");
    return count;
  }

  /** Null, with an alarm, when the vault is empty or cannot be read. */
  async #compare(): Promise<Comparison | null> {
    try {
      const indexed = await this.#index.signatures();
      const found = await compareWithDisk(this.#vault, this.#records, indexed);
      if (found.files.size > 0 || this.#records.size === 0) return found;
      this.#alarm = this.#emptyAlarm();
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      this.#alarm = error.message;
    }
    return null;
  }

  /** Totals from what was measured before; files that changed since come in as they are dealt with. */
  #warm({ files, folders }: Comparison): void {
    const records = this.#records;
    this.#vault.totals.restore(
      (function* () {
        for (const path of folders) yield { path, facts: null, isLink: false };
        for (const [path, { isLink }] of files) {
          const known = records.get(path);
          if (known !== undefined) yield { path, facts: known.facts, isLink };
        }
      })(),
    );
    this.#isTreeDue = true;
    this.#start();
  }
}
