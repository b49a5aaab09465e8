import { isDiskFull } from "../storage/sqlite.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { BackgroundJobOptions } from "./job-options.ts";

const MAX_RETRIES = 5;
const RETRY_DELAY = 1000;

/** Files that failed, which are processed again after a delay. */
export class Retries {
  readonly #options: Pick<BackgroundJobOptions, "vault" | "processed" | "retryDelay">;
  readonly #retry: (paths: readonly VaultPath[]) => void;
  readonly #counts = new Map<VaultPath, number>();

  constructor(
    options: Pick<BackgroundJobOptions, "vault" | "processed" | "retryDelay">,
    retry: (paths: readonly VaultPath[]) => void,
  ) {
    this.#options = options;
    this.#retry = retry;
  }

  /** They changed: what failed before says nothing of them. */
  reset(paths: Iterable<VaultPath>): void {
    for (const path of paths) this.#counts.delete(path);
  }

  /** Tries these again, a bounded number of times unless the disk is full; then they wait for their next change or a rescan. */
  add(error: unknown, paths: Iterable<VaultPath>): void {
    const { vault, processed, retryDelay = RETRY_DELAY } = this.#options;
    const isFull = isDiskFull(error, vault.state);
    const again = [...paths].filter((path) => {
      const tries = (this.#counts.get(path) ?? 0) + 1;
      this.#counts.set(path, tries);
      processed.invalidate(path);
      return tries <= MAX_RETRIES || isFull;
    });
    if (again.length > 0) setTimeout(() => this.#retry(again), retryDelay).unref();
  }
}
