import type { VaultPath } from "../vault/paths.ts";
import { TimeSlice } from "./time-slice.ts";

interface WaitingFile {
  readonly signature: string;
  readonly delay: number;
  /** By the clock of `performance`. */
  readonly due: number;
}

/** Debounces writes to files that other programs changed a moment ago: each waits until it stays unchanged. */
export class QuietFiles {
  /** Of one delay each, and so in the order in which they are due. */
  readonly #byDelay = new Map<number, Map<VaultPath, WaitingFile>>();
  readonly #delays = new Map<VaultPath, number>();
  readonly #signatureOf: (path: VaultPath) => Promise<string | null>;
  readonly #onQuiet: (path: VaultPath, delay: number) => void;
  #timer: NodeJS.Timeout | null = null;
  #isChecking = false;

  /**
   * @param signatureOf of a file as it is now; null when it is gone
   * @param onQuiet called with a file that stayed unchanged for its delay, or is gone
   */
  constructor(
    signatureOf: (path: VaultPath) => Promise<string | null>,
    onQuiet: (path: VaultPath, delay: number) => void,
  ) {
    this.#signatureOf = signatureOf;
    this.#onQuiet = onQuiet;
  }

  get size(): number {
    return this.#delays.size;
  }

  /** @param delay milliseconds it must stay unchanged */
  add(path: VaultPath, signature: string, delay: number): void {
    const known = this.#get(path);
    if (known?.signature === signature && known.delay <= delay) return;
    this.remove(path);
    const files = this.#byDelay.get(delay) ?? new Map<VaultPath, WaitingFile>();
    this.#byDelay.set(delay, files);
    files.set(path, { signature, delay, due: performance.now() + delay });
    this.#delays.set(path, delay);
    this.#arm();
  }

  remove(path: VaultPath): void {
    const delay = this.#delays.get(path);
    if (delay === undefined) return;
    this.#delays.delete(path);
    this.#byDelay.get(delay)?.delete(path);
  }

  /** Removes and returns the files whose delay is at most `delay` milliseconds. */
  takeWithin(delay: number): VaultPath[] {
    const taken = [...this.#delays].filter(([, own]) => own <= delay).map(([path]) => path);
    for (const path of taken) this.remove(path);
    return taken;
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#delays.clear();
    this.#byDelay.clear();
  }

  #get(path: VaultPath): WaitingFile | undefined {
    const delay = this.#delays.get(path);
    return delay === undefined ? undefined : this.#byDelay.get(delay)?.get(path);
  }

  /** One timer for all: thousands that fire at the same moment would block the thread. */
  #arm(): void {
    if (this.#timer !== null || this.#isChecking) return;
    let first = Number.POSITIVE_INFINITY;
    for (const files of this.#byDelay.values()) {
      const [next] = files.values();
      first = Math.min(first, next?.due ?? Number.POSITIVE_INFINITY);
    }
    if (first === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => void this.#checkDue(), Math.max(0, first - performance.now()));
  }

  async #checkDue(): Promise<void> {
    this.#timer = null;
    this.#isChecking = true;
    const slice = new TimeSlice();
    for (const files of this.#byDelay.values()) {
      for (const [path, file] of files) {
        if (file.due > performance.now()) break;
        await slice.pause();
        await this.#check(path, file);
      }
    }
    this.#isChecking = false;
    this.#arm();
  }

  async #check(path: VaultPath, file: WaitingFile): Promise<void> {
    // What cannot be checked is taken for quiet: the stamping that follows reports the error.
    const present = await this.#signatureOf(path).catch(() => null);
    // Removed, or changed again, during the check.
    if (this.#get(path) !== file) return;
    this.remove(path);
    if (present === null || present === file.signature) this.#onQuiet(path, file.delay);
    else this.add(path, present, file.delay);
  }
}
