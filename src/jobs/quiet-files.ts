import type { VaultPath } from "../vault/paths.ts";

interface WaitingFile {
  readonly signature: string;
  readonly delay: number;
  readonly timer: NodeJS.Timeout;
}

/** Debounces writes to files that other programs changed a moment ago: each waits until it stays unchanged. */
export class QuietFiles {
  readonly #files = new Map<VaultPath, WaitingFile>();
  readonly #signatureOf: (path: VaultPath) => Promise<string | null>;
  readonly #onQuiet: (path: VaultPath) => void;

  /**
   * @param signatureOf of a file as it is now; null when it is gone
   * @param onQuiet called with a file that stayed unchanged for its delay, or is gone
   */
  constructor(
    signatureOf: (path: VaultPath) => Promise<string | null>,
    onQuiet: (path: VaultPath) => void,
  ) {
    this.#signatureOf = signatureOf;
    this.#onQuiet = onQuiet;
  }

  get size(): number {
    return this.#files.size;
  }

  has(path: VaultPath): boolean {
    return this.#files.has(path);
  }

  /** @param delay milliseconds it must stay unchanged */
  add(path: VaultPath, signature: string, delay: number): void {
    const known = this.#files.get(path);
    if (known?.signature === signature && known.delay <= delay) return;
    this.remove(path);
    const timer = setTimeout(() => void this.#check(path), delay);
    this.#files.set(path, { signature, delay, timer });
  }

  remove(path: VaultPath): void {
    clearTimeout(this.#files.get(path)?.timer);
    this.#files.delete(path);
  }

  /** Removes and returns the files whose delay is at most `delay` milliseconds. */
  takeWithin(delay: number): VaultPath[] {
    const taken = [...this.#files].filter(([, file]) => file.delay <= delay).map(([path]) => path);
    for (const path of taken) this.remove(path);
    return taken;
  }

  close(): void {
    for (const path of this.#files.keys()) this.remove(path);
  }

  async #check(path: VaultPath): Promise<void> {
    const file = this.#files.get(path);
    const present = await this.#signatureOf(path);
    // Removed, or changed again, during the check.
    if (file === undefined || this.#files.get(path) !== file) return;
    this.remove(path);
    if (present === null || present === file.signature) this.#onQuiet(path);
    else this.add(path, present, file.delay);
  }
}
