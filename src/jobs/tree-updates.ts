import type { FrontmatterPolicy } from "../vault/frontmatter-policy.ts";
import { treeFile } from "../vault/tree/tree-text.ts";
import type { LocalVault } from "../vault/vault.ts";

/** Milliseconds that `tree.md` may be out of date while changes keep coming. */
const INTERVAL = 1000;
/** Writing it may take up one part in this many of the time. */
const MAX_SHARE = 40;

export interface TreeUpdatesOptions {
  readonly vault: LocalVault;
  readonly now: () => Date;
  readonly policy: () => FrontmatterPolicy;
}

/** When `tree.md` is written again. */
export class TreeUpdates {
  readonly #options: TreeUpdatesOptions;
  /** Null when it is up to date. */
  #staleSince: number | null = null;
  #interval = INTERVAL;

  constructor(options: TreeUpdatesOptions) {
    this.#options = options;
  }

  outdate(): void {
    this.#staleSince ??= this.#options.now().getTime();
  }

  /** @param isBusy more changes are to come, which would outdate it again */
  isDue(isBusy: boolean): boolean {
    if (this.#staleSince === null) return false;
    return !isBusy || this.#options.now().getTime() - this.#staleSince > this.#interval;
  }

  /**
   * Writes it, where the vault's setting allows it.
   * @param isKnown false when the vault cannot be read: what is known of it is outdated
   * @param isBusy a tool was still writing when this was called, and is done by now: its file is to be processed first
   * @returns false when nothing was written
   */
  async write(isKnown: boolean, isBusy: () => boolean): Promise<boolean> {
    const { vault, policy } = this.#options;
    const since = this.#staleSince;
    this.#staleSince = null;
    if (!isKnown || policy() !== "all") return false;
    return vault.writeTree(() => {
      const root = vault.totals.get("");
      if (root?.kind !== "folder") return null;
      this.#staleSince ??= since;
      if (!this.isDue(isBusy())) return null;
      this.#staleSince = null;
      const started = performance.now();
      const text = treeFile(root);
      this.#interval = Math.max(INTERVAL, (performance.now() - started) * MAX_SHARE);
      return text;
    });
  }
}
