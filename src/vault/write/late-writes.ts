import { closeSync, fstatSync, type BigIntStats } from "node:fs";

import type { VaultPath } from "../paths.ts";
import { openToRead, readBytes } from "../files/bytes.ts";
import { signatureOf } from "../files/version.ts";

/** Milliseconds between two checks of the held files, and how long one is held after the last write to it. */
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

/** Bytes at the end of the old file that are remembered: when they are unchanged, it was only appended to. */
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
  /** Its signature at the last check. */
  seen: string;
  until: number;
}

/** Applies a late write to the current file and returns its new version; null when it was saved elsewhere. */
export type Rescue = (late: LateWrite) => Promise<BigIntStats | null>;

/**
 * Recovers what another program writes to a file that we replaced while that program had it open: it goes to the old file, which has no name
 * any more. The old file is held open for a few seconds after the last write to it. What was written is handed to `rescue` once the file stops
 * changing; an empty file is skipped, because it is about to be filled.
 */
export class LateWrites {
  readonly #rescue: Rescue;
  readonly #held = new Set<Held>();
  readonly #rescuing = new Set<Held>();
  #timer: NodeJS.Timeout | null = null;

  constructor(rescue: Rescue) {
    this.#rescue = rescue;
  }

  /** Opens the file at `place`, which is about to be replaced. Null when it cannot be opened. */
  hold(
    place: string,
    path: VaultPath,
  ): {
    watch: (before: BigIntStats, ours: BigIntStats, bytes?: Buffer) => void;
    release: () => void;
  } | null {
    let fd: number;
    try {
      fd = openToRead(place);
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

  /** Rescues now what was written so far. Returns the paths of the files. */
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
    const addedAt = wasAddedTo ? Number(before.size) : null;
    this.#rescuing.add(held);
    let landed: BigIntStats | null;
    try {
      landed = await this.#rescue({ path, ours, bytes, addedAt });
    } catch {
      // Neither vault nor state folder takes it now: it is held, and tried again, until one does.
      held.until = performance.now() + HOLD;
      return;
    } finally {
      this.#rescuing.delete(held);
    }
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
