import type { VaultPath } from "../vault/paths.ts";

const LOOK = 20;

interface WaitingFile {
  readonly signature: string;
  readonly since: number;
  readonly delay: number;
}

/** Files that another program changed a moment ago, until they stay as they are. */
export class Waiting {
  readonly #files = new Map<VaultPath, WaitingFile>();
  readonly #signatureOf: (path: VaultPath) => Promise<string | null>;
  readonly #onQuiet: (paths: readonly VaultPath[]) => void;
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  /**
   * @param signatureOf of a file as it is now; null when it is gone
   * @param onQuiet hears of files that have stayed as they are for as long as was asked, or are gone
   */
  constructor(
    signatureOf: (path: VaultPath) => Promise<string | null>,
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
    this.#timer ??= setInterval(() => void this.#look(), LOOK);
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

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const due = [...this.#files].filter(
        ([, { since, delay }]) => performance.now() - since >= delay,
      );
      const present = await Promise.all(due.map(async ([path]) => this.#signatureOf(path)));
      this.#sort(due.map(([path, file], at) => ({ path, file, present: present[at] ?? null })));
    } finally {
      this.#isLooking = false;
    }
  }

  #sort(looked: readonly { path: VaultPath; file: WaitingFile; present: string | null }[]): void {
    const quiet: VaultPath[] = [];
    for (const { path, file, present } of looked) {
      // Dropped or changed again while it was looked at.
      if (this.#files.get(path) !== file) continue;
      if (present === null || present === file.signature) quiet.push(path);
      else this.#files.set(path, { ...file, signature: present, since: performance.now() });
    }
    for (const path of quiet) this.drop(path);
    if (quiet.length > 0) this.#onQuiet(quiet);
  }
}
