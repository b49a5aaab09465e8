import type { FileChanges, LoadStep, SearchIndex } from "../index/search-index.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { Outcome } from "./file-outcome.ts";
import { TimeSlice } from "./time-slice.ts";

/** The part of an index that the background job uses. */
export type JobIndex = Pick<SearchIndex, "signatures" | "stats" | "load" | "apply">;

/** What the index is to do for one file. */
export type IndexStep = Exclude<LoadStep, "commit">;

/** Files, and letters in them, that are indexed in one transaction: the thread answers nobody meanwhile. */
const TRANSACTION = 100;
const TRANSACTION_LETTERS = 50_000;

/** Files that are processed together, and what is to be reported of them. A file that fails blocks no other. */
export class FileBatch {
  readonly changed: VaultPath[] = [];
  readonly created: VaultPath[] = [];
  readonly gone: readonly VaultPath[];
  /** Files whose content is new to the index, whether it is reported now or later. */
  readonly put: VaultPath[] = [];
  readonly #onFailed: (error: unknown, path: VaultPath) => void;

  constructor(gone: readonly VaultPath[], onFailed: (error: unknown, path: VaultPath) => void) {
    this.gone = gone;
    this.#onFailed = onFailed;
  }

  /** Processes files one after the other; yields what to index. */
  async *process(
    paths: Iterable<VaultPath>,
    work: (path: VaultPath) => Promise<Outcome>,
  ): AsyncGenerator<IndexStep> {
    const slice = new TimeSlice();
    for (const path of paths) {
      await slice.pause();
      try {
        const { put, change, isUnsearchable } = await work(path);
        this.took(path, put !== null, change);
        if (put !== null) yield put;
        else if (isUnsearchable === true) yield { gone: path };
      } catch (error) {
        this.#onFailed(error, path);
      }
    }
  }

  /** Counts a file that another thread processed. */
  took(path: VaultPath, isPut: boolean, change: Outcome["change"]): void {
    if (isPut) this.put.push(path);
    if (change !== null) this.changed.push(path);
    if (change === "created") this.created.push(path);
  }

  async putAll(index: JobIndex, steps: AsyncIterable<IndexStep>): Promise<void> {
    let some: IndexStep[] = [];
    let letters = 0;
    for await (const step of steps) {
      some.push(step);
      letters += "gone" in step ? 0 : step.text.length;
      if (some.length < TRANSACTION && letters < TRANSACTION_LETTERS) continue;
      await this.#putSome(index, some);
      some = [];
      letters = 0;
    }
    await this.#putSome(index, some);
  }

  /** In one transaction; when that fails, one by one. */
  async #putSome(index: JobIndex, steps: readonly IndexStep[]): Promise<void> {
    const [first, ...others] = steps;
    if (first === undefined) return;
    try {
      await index.apply(changesOf(steps));
    } catch (error) {
      if (others.length === 0) this.#onFailed(error, "gone" in first ? first.gone : first.path);
      else for (const step of steps) await this.#putSome(index, [step]);
    }
  }
}

/** Steps as one change of the index. */
export function changesOf(steps: readonly IndexStep[]): FileChanges {
  return {
    put: steps.flatMap((step) => ("gone" in step ? [] : [step])),
    gone: steps.flatMap((step) => ("gone" in step ? [step.gone] : [])),
  };
}

/** Files that are gone, and are removed from the index at once. */
const GONE_BATCH = 500;

/** Removes files from the index, a bounded number at once. */
export async function removeAll(index: JobIndex, gone: readonly VaultPath[]): Promise<void> {
  const slice = new TimeSlice();
  for (let at = 0; at < gone.length; at += GONE_BATCH) {
    await index.apply({ put: [], gone: gone.slice(at, at + GONE_BATCH) });
    await slice.pause();
  }
}

/** More new files than this are loaded in bulk. */
const BULK = 2000;

/** Whether so many files are a first load of the index. */
export async function isFirstLoad(index: JobIndex, files: number): Promise<boolean> {
  return files > BULK && (await index.stats()).files === 0;
}
