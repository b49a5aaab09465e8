import type { VaultPath } from "../../vault/paths.ts";

/** Files stamped between two reports. */
const BATCH = 100;
/** More files than this are not stamped when the job ends: the next start does. */
const MANY = 500;

/** Files to stamp as soon as nothing is left to index: first those that tools wrote. */
export class StampQueue {
  readonly #byTools = new Set<VaultPath>();
  readonly #others = new Set<VaultPath>();
  /** Read in another thread, which should have read everything first. */
  readonly #held = new Set<VaultPath>();

  /** How many can be stamped now. */
  get ready(): number {
    return this.#byTools.size + this.#others.size;
  }

  get size(): number {
    return this.ready + this.#held.size;
  }

  add(path: VaultPath, isByTool: boolean): void {
    (isByTool ? this.#byTools : this.#others).add(path);
  }

  /** Adds one that waits for {@link release}. */
  hold(path: VaultPath): void {
    this.#held.add(path);
  }

  release(): void {
    for (const path of this.#held) this.#others.add(path);
    this.#held.clear();
  }

  remove(path: VaultPath): void {
    for (const files of [this.#byTools, this.#others, this.#held]) files.delete(path);
  }

  /** Removes what would take long, for the next start. */
  dropMany(): void {
    this.#held.clear();
    if (this.#others.size > MANY) this.#others.clear();
  }

  /** Takes a batch, one by one, and ends early when `isInterrupted`. */
  *takeBatch(isInterrupted: () => boolean): Generator<VaultPath> {
    for (let count = 0; count < BATCH && !isInterrupted(); count += 1) {
      const [path] = this.#byTools.size > 0 ? this.#byTools : this.#others;
      if (path === undefined) return;
      this.remove(path);
      yield path;
    }
  }
}
