import type { VaultPath } from "../vault/paths.ts";

const LOOK = 20;

/** Files that another program changed a moment ago, until they stay as they are. */
export class Waiting {
  readonly #files = new Map<VaultPath, { signature: string; since: number; delay: number }>();
  readonly #signatureOf: (path: VaultPath) => string | null;
  readonly #onQuiet: (paths: readonly VaultPath[]) => void;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param signatureOf of a file as it is now; null when it is gone
   * @param onQuiet hears of files that have stayed as they are for as long as was asked, or are gone
   */
  constructor(
    signatureOf: (path: VaultPath) => string | null,
    onQuiet: (paths: readonly VaultPath[]) => void,
  ) {
    this.#signatureOf = signatureOf;
    this.#onQuiet = onQuiet;
  }

  get size(): number {
    return this.#files.size;
  }

  /** @param delay milliseconds it must stay as it is */
  add(path: VaultPath, signature: string, delay: number): void {
    const known = this.#files.get(path);
    if (known?.signature !== signature || delay < known.delay)
      this.#files.set(path, { signature, since: performance.now(), delay });
    this.#timer ??= setInterval(() => this.#look(), LOOK);
  }

  drop(path: VaultPath): void {
    this.#files.delete(path);
    if (this.#files.size === 0) this.close();
  }

  /** Takes out those that need wait no longer than `delay` milliseconds. */
  takeWithin(delay: number): VaultPath[] {
    const taken = [...this.#files].filter(([, file]) => file.delay <= delay).map(([path]) => path);
    for (const path of taken) this.drop(path);
    return taken;
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const now = performance.now();
    const quiet: VaultPath[] = [];
    for (const [path, { signature, since, delay }] of this.#files) {
      if (now - since < delay) continue;
      const present = this.#signatureOf(path);
      if (present === null || present === signature) quiet.push(path);
      else this.#files.set(path, { signature: present, since: now, delay });
    }
    for (const path of quiet) this.drop(path);
    if (quiet.length > 0) this.#onQuiet(quiet);
  }
}
