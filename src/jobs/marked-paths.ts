import type { VaultPath } from "../vault/paths.ts";
import type { Stage } from "./file-processor.ts";

const STAGES: readonly Stage[] = ["quiet", "soon", "now"];

/** Paths where something may have changed, taken in batches that callers can wait for. */
export class MarkedPaths {
  #paths = new Map<VaultPath, Stage>();
  /** Whether a tool wrote something of the batch taken last, and of the next one. */
  #isTakenByTool = false;
  #isNextByTool = false;
  /** Resolved when the batch taken last, and the next one, are in the index. */
  #taken = Promise.withResolvers<void>();
  #next = Promise.withResolvers<void>();

  constructor() {
    this.#taken.resolve();
  }

  get size(): number {
    return this.#paths.size;
  }

  add(paths: Iterable<VaultPath>, stage: Stage): void {
    if (stage !== "quiet") this.#isNextByTool = true;
    for (const path of paths) {
      const before = this.#paths.get(path) ?? "quiet";
      const isSooner = STAGES.indexOf(stage) > STAGES.indexOf(before);
      this.#paths.set(path, isSooner ? stage : before);
    }
  }

  /** All that was added since the last batch. Call `finishBatch` when it is in the index. */
  takeBatch(): ReadonlyMap<VaultPath, Stage> {
    const batch = this.#paths;
    this.#paths = new Map();
    [this.#isTakenByTool, this.#isNextByTool] = [this.#isNextByTool, false];
    this.#taken = this.#next;
    this.#next = Promise.withResolvers();
    return batch;
  }

  finishBatch(): void {
    this.#isTakenByTool = false;
    this.#taken.resolve();
  }

  /** Resolves when all that was added until now is in the index. */
  async indexed(): Promise<void> {
    await (this.size > 0 ? this.#next : this.#taken).promise;
  }

  /** Resolves when all that tools wrote until now is in the index. */
  async toolsIndexed(): Promise<void> {
    if (this.#isNextByTool) await this.#next.promise;
    else if (this.#isTakenByTool) await this.#taken.promise;
  }

  /** There will be no more batches: nobody waits any longer. */
  close(): void {
    this.#taken.resolve();
    this.#next.resolve();
  }
}
