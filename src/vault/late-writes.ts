import { closeSync, constants, fstatSync, openSync, type BigIntStats } from "node:fs";

import type { VaultPath } from "./paths.ts";
import { readBytes } from "./text-file.ts";
import { signatureOf } from "./version.ts";

/** Milliseconds after a file was replaced at which the old one is looked at again. */
const LOOKS = [20, 200, 1000, 3000] as const;
const MOST_HELD = 200;

/** What another program wrote to a file after we had replaced it. */
export interface LateWrite {
  readonly path: VaultPath;
  /** Our version of the file, which took its place. */
  readonly ours: BigIntStats;
  /** The old file as it is now. */
  readonly bytes: Buffer;
  /** Where what was added begins, when it was only added to; null when it was rewritten. */
  readonly addedAt: number | null;
}

/** Bytes at the end of the old file by which it is known again: if they still stand there, it was only added to. */
const TAIL = 64 * 1024;

interface Held {
  readonly fd: number;
  readonly path: VaultPath;
  readonly ours: BigIntStats;
  readonly before: BigIntStats;
  readonly tail: Buffer;
  look: number;
}

/**
 * Catches what is lost when a file is replaced while another program has it open, or opens it in that very moment: what that
 * program writes goes to the old file, which no name leads to any more. The old file is held open for a few seconds, and what
 * was written to it is handed to `rescue`.
 */
export class LateWrites {
  readonly #rescue: (late: LateWrite) => void;
  readonly #held = new Set<Held>();
  #timer: NodeJS.Timeout | null = null;

  constructor(rescue: (late: LateWrite) => void) {
    this.#rescue = rescue;
  }

  /** Opens the file at `place`, which is about to be replaced. Null when it cannot be opened: then there is nothing to hold. */
  hold(
    place: string,
    path: VaultPath,
  ): { watch: (before: BigIntStats, ours: BigIntStats) => void; release: () => void } | null {
    let fd: number;
    try {
      fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return null;
    }
    return {
      release: () => closeSync(fd),
      watch: (before, ours) => {
        const held: Held = { fd, path, ours, before, tail: tailOf(fd, before), look: 0 };
        this.#held.add(held);
        if (this.#look(held)) return;
        const [oldest] = this.#held;
        if (this.#held.size > MOST_HELD && oldest !== undefined) this.#drop(oldest);
        this.#schedule();
      },
    };
  }

  /** Looks a last time at all that is held, and lets go of it. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const held of this.#held) if (!this.#look(held)) this.#drop(held);
  }

  #schedule(): void {
    if (this.#timer !== null || this.#held.size === 0) return;
    const next = Math.min(...[...this.#held].map((held) => LOOKS[held.look] ?? 0));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      for (const held of this.#held) {
        if (this.#look(held)) continue;
        held.look += 1;
        if (held.look >= LOOKS.length) this.#drop(held);
      }
      this.#schedule();
    }, next);
    this.#timer.unref();
  }

  /** True when something was written: it is handed over, and the file is let go. */
  #look(held: Held): boolean {
    const { fd, before, path, ours, tail } = held;
    const now = fstatSync(fd, { bigint: true });
    if (signatureOf(now) === signatureOf(before)) return false;
    const bytes = readBytes(fd, 0, Number(now.size));
    const wasAddedTo = now.size > before.size && tailOf(fd, before).equals(tail);
    this.#drop(held);
    this.#rescue({ path, ours, bytes, addedAt: wasAddedTo ? Number(before.size) : null });
    return true;
  }

  #drop(held: Held): void {
    if (this.#held.delete(held)) closeSync(held.fd);
  }
}

function tailOf(fd: number, { size }: BigIntStats): Buffer {
  const length = Math.min(Number(size), TAIL);
  return readBytes(fd, Number(size) - length, length);
}
