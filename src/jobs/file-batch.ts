import { setImmediate as nextTurn } from "node:timers/promises";

import type { IndexedFile, SearchIndex } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { Outcome } from "./file-processor.ts";

/** The part of an index that the background job uses. */
export type JobIndex = Pick<SearchIndex, "signatures" | "stats" | "load" | "apply">;

/** Files held in memory at once, to be indexed in one transaction. */
const TRANSACTION = 100;

/** Files that are processed together, and what is to be reported of them. A file that fails blocks no other. */
export class FileBatch {
  readonly changed: VaultPath[] = [];
  readonly created: VaultPath[] = [];
  readonly gone: readonly VaultPath[];
  /** Some content is new to the index, whether it is reported now or later. */
  hasPut = false;
  readonly #onFailed: (error: unknown, path: VaultPath) => void;

  constructor(gone: readonly VaultPath[], onFailed: (error: unknown, path: VaultPath) => void) {
    this.gone = gone;
    this.#onFailed = onFailed;
  }

  /** Processes files one after the other; yields what to index. */
  async *process(
    paths: Iterable<VaultPath>,
    work: (path: VaultPath) => Promise<Outcome>,
  ): AsyncGenerator<IndexedFile> {
    for (const path of paths) {
      try {
        const { put, change } = await work(path);
        if (change !== null) this.changed.push(path);
        if (change === "created") this.created.push(path);
        if (put === null) continue;
        this.hasPut = true;
        yield put;
      } catch (error) {
        this.#onFailed(error, path);
      }
    }
  }

  async put(index: JobIndex, files: AsyncIterable<IndexedFile>): Promise<void> {
    let some: IndexedFile[] = [];
    for await (const file of files) {
      some.push(file);
      if (some.length < TRANSACTION) continue;
      await this.#putSome(index, some);
      some = [];
      await nextTurn();
    }
    await this.#putSome(index, some);
  }

  /** In one transaction; when that fails, one by one. */
  async #putSome(index: JobIndex, files: readonly IndexedFile[]): Promise<void> {
    const [first, ...others] = files;
    if (first === undefined) return;
    try {
      await index.apply({ put: files, gone: [] });
    } catch (error) {
      if (others.length === 0) this.#onFailed(error, first.path);
      else for (const file of files) await this.#putSome(index, [file]);
    }
  }
}
