import type { VaultPath } from "../vault/paths.ts";
import type { LocalVault } from "../vault/vault.ts";
import type { BulkFiles } from "./bulk-files.ts";
import { errorOf, pathsOf, type BulkFile } from "./bulk/bulk-messages.ts";
import { findReachable, isIgnored } from "./comparison.ts";
import { FileBatch } from "./file-batch.ts";
import type { FileProcessor, Stage } from "./file-processor.ts";
import { TimeSlice } from "./time-slice.ts";

/** Files that are taken over and saved together: the thread answers nobody meanwhile. */
const TOGETHER = 200;

export interface ReadFilesOptions {
  readonly vault: LocalVault;
  readonly files: FileProcessor;
  readonly bulk: BulkFiles;
  readonly isClosed: () => boolean;
  readonly mark: (path: VaultPath, stage: Stage) => void;
  readonly onFailed: (error: unknown, paths: readonly VaultPath[]) => void;
  readonly onTaken: (batch: FileBatch) => void;
}

/** Takes over what the other thread has read and put into the index, in turn and in slices. */
export class ReadFiles {
  readonly #options: ReadFilesOptions;
  readonly #slice = new TimeSlice();
  #taken: Promise<void> = Promise.resolve();
  #takings = 0;

  constructor(options: ReadFilesOptions) {
    this.#options = options;
  }

  get isTaking(): boolean {
    return this.#takings > 0;
  }

  /** Resolves when what was added until now is taken over. */
  async taken(): Promise<void> {
    await this.#taken;
  }

  add(files: readonly BulkFile[]): void {
    for (let at = 0; at < files.length; at += TOGETHER) this.#add(files.slice(at, at + TOGETHER));
  }

  #add(files: readonly BulkFile[]): void {
    this.#takings += 1;
    this.#taken = this.#taken
      .then(() => this.#take(files))
      .catch((error: unknown) => this.#options.onFailed(error, pathsOf(files)))
      .finally(() => (this.#takings -= 1));
  }

  async #take(files: readonly BulkFile[]): Promise<void> {
    const { isClosed, onTaken } = this.#options;
    const batch = new FileBatch([], () => {});
    for (const file of files) {
      await this.#slice.pause();
      await this.#takeOne(file, batch);
      if (isClosed()) return;
    }
    await this.#slice.pause();
    onTaken(batch);
  }

  async #takeOne(
    { path, item, facts, note, isPut, failure }: BulkFile,
    batch: FileBatch,
  ): Promise<void> {
    const { vault, files, bulk, isClosed, mark, onFailed } = this.#options;
    const isKept = facts !== null && (await files.isKept(path, facts, note));
    const isGone = await bulk.isGone(path);
    const isOther = item !== null && bulk.takeAgain(path) && !(await this.#isStill(path, item));
    if (isClosed()) return;
    const isStale = isGone || isOther || bulk.takeAgain(path);
    const stage = bulk.take(path);
    // It was processed here meanwhile.
    if (stage === null) return;
    if (failure !== null) onFailed(errorOf(failure), [path]);
    // Nothing is there any more, it is ignored by now, or another version: what that means is found here.
    else if (item === null || facts === null || isStale || isIgnored(vault, path))
      mark(path, stage);
    else {
      const read = { item, facts, kept: isKept ? note : null };
      batch.took(path, isPut, files.takeRead(path, stage, read));
    }
  }

  async #isStill(path: VaultPath, read: NonNullable<BulkFile["item"]>): Promise<boolean> {
    const found = await findReachable(this.#options.vault, path);
    return found?.version === read.version && found.touched === read.touched;
  }
}
