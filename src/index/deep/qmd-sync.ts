import { setImmediate as nextTurn } from "node:timers/promises";

import type { VaultPath } from "../../vault/paths.ts";
import type { FileChanges, FileFollower } from "./deep-model.ts";
import type { SqliteIndex } from "../lexical/sqlite-index.ts";

/** Files given to the follower in one go: others wait meanwhile, a millisecond for each. */
const BATCH = 20;
const RETRY = 5000;

/** Has a follower hear of every change of the index. What goes wrong is made good by comparing everything, a little later. */
export class Following {
  readonly #index: SqliteIndex;
  readonly #follower: FileFollower;
  #problem: string | null = null;
  #comparing: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(index: SqliteIndex, follower: FileFollower) {
    this.#index = index;
    this.#follower = follower;
  }

  /** Why the follower lacks something; null when it does not. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Passes on what was indexed. Never throws. */
  async follow({ put, gone }: FileChanges): Promise<void> {
    if (put.length + gone.length === 0) return;
    this.#give({ put: put.slice(0, BATCH), gone });
    for (let at = BATCH; at < put.length && !this.#isClosed; at += BATCH) {
      await nextTurn();
      this.#give({ put: put.slice(at, at + BATCH), gone: [] });
    }
  }

  /** Makes the follower's files equal to the index's: whatever changed while it was not there. Never throws. */
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

  #give(changes: FileChanges): void {
    try {
      this.#follower.apply(changes);
    } catch (error) {
      this.#failed(error);
    }
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
    const has = this.#follower.signatures();
    const due: VaultPath[] = [];
    for (const [path, signature] of this.#index.signatures()) {
      if (has.get(path) !== signature) due.push(path);
      has.delete(path);
    }
    const paths = [...due, ...has.keys()];
    for (let at = 0; at < paths.length && !this.#isClosed; at += BATCH) {
      // As they are now: some may have changed since the comparison.
      const now = paths
        .slice(at, at + BATCH)
        .map((path) => ({ path, file: this.#index.file(path) }));
      const put = now.flatMap(({ file }) => file ?? []);
      const gone = now.filter(({ file }) => file === null).map(({ path }) => path);
      this.#follower.apply({ put, gone });
      await nextTurn();
    }
  }
}
