import { setImmediate as nextTurn } from "node:timers/promises";

import type { VaultPath } from "../../vault/paths.ts";
import type { FileChanges, IndexedFile, SearchIndex } from "../search-index.ts";
import type { FileFollower } from "./deep-model.ts";

/** Files copied at once: each takes about a millisecond, in which nothing else runs. */
const BATCH = 20;
const RETRY = 5000;

/** Copies every change of the index to a follower. After a failure everything is compared, a few seconds later. */
export class QmdSync {
  readonly #index: SearchIndex;
  readonly #follower: FileFollower;
  #problem: string | null = null;
  #comparing: Promise<void> = Promise.resolve();
  #lastBatch: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(index: SearchIndex, follower: FileFollower) {
    this.#index = index;
    this.#follower = follower;
  }

  /** Why the follower is not up to date; null when it is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Copies changes that were indexed. Never throws. */
  async follow({ put, gone }: FileChanges): Promise<void> {
    if (put.length + gone.length === 0) return;
    try {
      for (let at = 0; at === 0 || (at < put.length && !this.#isClosed); at += BATCH) {
        if (at > 0) await nextTurn();
        const changes = { put: put.slice(at, at + BATCH), gone: at === 0 ? gone : [] };
        await this.#inTurn(async () => this.#follower.apply(changes));
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Makes the follower's files equal to those of the index. Never throws. */
  async catchUp(): Promise<void> {
    this.#comparing = this.#comparing
      .then(() => this.#compare())
      .catch((error: unknown) => this.#failed(error));
    await this.#comparing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await this.#comparing;
  }

  /** One batch at a time: else a comparison could replace a newer file by the one it read before. */
  async #inTurn(batch: () => Promise<void>): Promise<void> {
    const done = this.#lastBatch.then(batch);
    this.#lastBatch = done.catch(() => {});
    await done;
  }

  #failed(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error);
    if (this.#isClosed) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.catchUp(), RETRY);
    this.#retry.unref();
  }

  async #compare(): Promise<void> {
    if (this.#isClosed) return;
    this.#problem = null;
    const known = this.#follower.signatures();
    const differing: VaultPath[] = [];
    for (const [path, signature] of await this.#index.signatures()) {
      if (known.get(path) !== signature) differing.push(path);
      known.delete(path);
    }
    const paths = [...differing, ...known.keys()];
    for (let at = 0; at < paths.length && !this.#isClosed; at += BATCH) {
      await this.#inTurn(() => this.#copy(paths.slice(at, at + BATCH)));
      await nextTurn();
    }
  }

  /** Copies files as they are indexed now: they may have changed since the comparison. */
  async #copy(paths: readonly VaultPath[]): Promise<void> {
    const put: IndexedFile[] = [];
    const gone: VaultPath[] = [];
    for (const path of paths) {
      const file = await this.#index.file(path);
      if (file === null) gone.push(path);
      else put.push(file);
    }
    this.#follower.apply({ put, gone });
  }
}
