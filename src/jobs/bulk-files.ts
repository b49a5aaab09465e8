import { parentOf, type VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";
import type { BulkIndexer } from "./bulk/bulk-indexer.ts";
import { findReachable } from "./comparison.ts";
import type { JobIndex } from "./file-batch.ts";
import type { Stage } from "./file-processor.ts";
import { TimeSlice } from "./time-slice.ts";

/** More changed files than this, and files of more bytes, are read and indexed in another thread. */
const MANY = 200;
const LARGE = 200_000;
/** More new files than this are loaded as a first index is. */
const FIRST = 2000;

export interface BulkFilesOptions {
  readonly vault: LocalVault;
  readonly index: Pick<JobIndex, "stats">;
  /** Without it, all files are read in this thread. */
  readonly bulk?: Pick<BulkIndexer, "read">;
}

/** Files that another thread reads and indexes. One that is processed here meanwhile is removed: what the thread says of it is outdated. */
export class BulkFiles {
  readonly #files = new Map<VaultPath, Stage>();
  /** Of these, those that may have changed since the thread was told to read them. */
  readonly #again = new Set<VaultPath>();
  /** Paths marked while the thread reads: what it read under them may be gone by now. */
  readonly #suspects = new Set<VaultPath>();
  /** How many of them tools wrote. */
  #byTools = 0;
  #waiting: PromiseWithResolvers<void> | null = null;
  readonly #options: BulkFilesOptions;
  readonly #isChanged: (path: VaultPath) => Promise<boolean>;
  #isAbandoned = false;

  /** @param isChanged whether a file must be read at all */
  constructor(options: BulkFilesOptions, isChanged: (path: VaultPath) => Promise<boolean>) {
    this.#options = options;
    this.#isChanged = isChanged;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Leaves large files, and many, to the other thread, and removes them from `files`. */
  async start(files: Map<VaultPath, Stage>): Promise<void> {
    const { bulk, index, vault } = this.#options;
    if (bulk === undefined || this.#isAbandoned) return;
    const isMany = files.size > MANY;
    const chosen: VaultPath[] = [];
    const slice = new TimeSlice();
    for (const [path, stage] of files) {
      await slice.pause();
      const waiting = this.#files.get(path);
      // A comparison reports all that are not read yet: whether they changed since is found when they are taken over.
      if (isMany && waiting === "quiet" && stage === "quiet") {
        this.#again.add(path);
        files.delete(path);
        continue;
      }
      if (waiting !== undefined) this.take(path);
      // Those are read when they are stamped.
      if (stage === "now") continue;
      const size = isMany ? LARGE : ((await findReachable(vault, path))?.size ?? 0);
      if (size < LARGE || !(await this.#isChanged(path))) continue;
      chosen.push(path);
      files.delete(path);
      this.#add(path, stage);
    }
    const isFirst = chosen.length > FIRST && (await index.stats()).files < chosen.length;
    bulk.read(chosen, isFirst);
  }

  /** Whether a file may have changed since the thread was told to read it, or since this was asked. */
  takeAgain(path: VaultPath): boolean {
    return this.#again.delete(path);
  }

  #add(path: VaultPath, stage: Stage): void {
    this.#files.set(path, stage);
    if (stage !== "quiet") this.#byTools += 1;
  }

  /** Removes a file; null when it is not among them. */
  take(path: VaultPath): Stage | null {
    const stage = this.#files.get(path) ?? null;
    if (stage === null) return null;
    this.#files.delete(path);
    this.#again.delete(path);
    if (this.#files.size === 0) this.#suspects.clear();
    if (stage !== "quiet") this.#byTools -= 1;
    if (this.#byTools === 0) this.#wake();
    return stage;
  }

  /** Something changed at these paths since the thread was asked. */
  suspect(paths: Iterable<VaultPath>): void {
    if (this.#files.size > 0) for (const path of paths) this.#suspects.add(path);
  }

  /** Whether a file that the thread has read was removed since: nobody else would tell, as it was not yet known. */
  async isGone(path: VaultPath): Promise<boolean> {
    if (this.#suspects.size === 0) return false;
    let at = path;
    while (at !== "" && !this.#suspects.has(at)) at = parentOf(at);
    return this.#suspects.has(at) && (await findReachable(this.#options.vault, path)) === null;
  }

  /** Removes all of them, and leaves none to the other thread any more. */
  abandon(): [VaultPath, Stage][] {
    this.#isAbandoned = true;
    const all = [...this.#files];
    this.#files.clear();
    this.#again.clear();
    this.#byTools = 0;
    this.#wake();
    return all;
  }

  /** Resolves when none is left that a tool wrote. */
  async untilToolsDone(): Promise<void> {
    if (this.#byTools === 0) return;
    this.#waiting ??= Promise.withResolvers();
    await this.#waiting.promise;
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = null;
  }
}
