import { closeSync, constants, fstatSync, openSync, type BigIntStats } from "node:fs";

import type { VaultPath } from "../paths.ts";
import { readBytes } from "../files/text-file.ts";
import { signatureOf } from "../files/version.ts";

/** Milliseconds between two looks at the files held, and how long one is held after the last write to it. */
const LOOK = 40;
const HOLD = 3000;
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

/** A file that was replaced, still open. */
interface Held {
  readonly fd: number;
  readonly path: VaultPath;
  /** The version that took its place; another one after each rescue. */
  ours: BigIntStats;
  /** As it was when it was replaced, or last rescued from. */
  before: BigIntStats;
  tail: Buffer;
  /** What it looked like at the last look. */
  seen: string;
  until: number;
}

/** Brings a late write to where it belongs, and tells the version that is there now; null when it was put elsewhere. */
export type Rescue = (late: LateWrite) => Promise<BigIntStats | null>;

/**
 * Catches what is lost when a file is replaced while another program has it open, or opens it in that very moment: what that
 * program writes goes to the old file, which no name leads to any more. The old file is held open for a few seconds after the
 * last write to it. What was written is handed to `rescue` once it stays as it is; a file that is empty is one about to be filled.
 */
export class LateWrites {
  readonly #rescue: Rescue;
  readonly #held = new Set<Held>();
  readonly #rescuing = new Set<Held>();
  #timer: NodeJS.Timeout | null = null;

  constructor(rescue: Rescue) {
    this.#rescue = rescue;
  }

  /** Opens the file at `place`, which is about to be replaced. Null when it cannot be opened: then there is nothing to hold. */
  hold(
    place: string,
    path: VaultPath,
  ): {
    watch: (before: BigIntStats, ours: BigIntStats, bytes?: Buffer) => void;
    release: () => void;
  } | null {
    let fd: number;
    try {
      fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return null;
    }
    return {
      release: () => closeSync(fd),
      watch: (before, ours, bytes) => {
        const [oldest] = this.#held;
        if (this.#held.size >= MOST_HELD && oldest !== undefined) this.#drop(oldest);
        this.#held.add({
          fd,
          path,
          ours,
          before,
          tail: bytes === undefined ? tailOf(fd, before) : Buffer.from(bytes.subarray(-TAIL)),
          seen: signatureOf(fstatSync(fd, { bigint: true })),
          until: performance.now() + HOLD,
        });
        this.#timer ??= setInterval(() => this.#look(), LOOK).unref();
      },
    };
  }

  /** Rescues at once what was written so far. The paths it went to. */
  async finish(): Promise<VaultPath[]> {
    const changed = [...this.#held].filter((held) => this.#isChanged(held));
    await Promise.all(changed.map((held) => this.#handOver(held)));
    return changed.map(({ path }) => path);
  }

  close(): void {
    for (const held of this.#held) this.#drop(held);
  }

  #look(): void {
    const now = performance.now();
    for (const held of this.#held) {
      if (this.#rescuing.has(held)) continue;
      const present = signatureOf(fstatSync(held.fd, { bigint: true }));
      if (present !== held.seen) {
        held.seen = present;
        held.until = now + HOLD;
      } else if (this.#isChanged(held)) void this.#handOver(held);
      else if (now > held.until) this.#drop(held);
    }
  }

  #isChanged(held: Held): boolean {
    const now = fstatSync(held.fd, { bigint: true });
    return signatureOf(now) !== signatureOf(held.before) && now.size > 0n;
  }

  async #handOver(held: Held): Promise<void> {
    const { fd, before, path, ours, tail } = held;
    const now = fstatSync(fd, { bigint: true });
    const bytes = readBytes(fd, 0, Number(now.size));
    const wasAddedTo = now.size > before.size && tailOf(fd, before).equals(tail);
    this.#rescuing.add(held);
    const landed = await this.#rescue({
      path,
      ours,
      bytes,
      addedAt: wasAddedTo ? Number(before.size) : null,
    });
    this.#rescuing.delete(held);
    if (!this.#held.has(held)) return;
    held.ours = landed ?? ours;
    held.before = now;
    held.tail = tailOf(fd, now);
  }

  #drop(held: Held): void {
    if (this.#held.delete(held)) closeSync(held.fd);
    if (this.#held.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

function tailOf(fd: number, { size }: BigIntStats): Buffer {
  const length = Math.min(Number(size), TAIL);
  return readBytes(fd, Number(size) - length, length);
}
