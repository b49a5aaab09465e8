import { closeSync, fstatSync, type BigIntStats } from "node:fs";

import type { VaultPath } from "../paths.ts";
import { openToRead, partsOf, readBytes } from "../files/bytes.ts";
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
  /** The disk did not let it be looked at, or read, at the last try. */
  isFailing: boolean;
}

export interface Rescue {
  /** Applies a late write to the current file and returns its new version; null when it was saved elsewhere. */
  readonly apply: (late: LateWrite) => Promise<BigIntStats | null>;
  /** Saves elsewhere what can be read of a file on a disk that went on failing. May throw: then nothing more can be done. */
  readonly keep: (late: Pick<LateWrite, "path" | "bytes">) => void;
}

/**
 * Recovers what another program writes to a file that we replaced while that program had it open: it goes to the old file, which has no name
 * any more. The old file is held open for a few seconds after the last write to it. What was written is handed to `rescue` once the file stops
 * changing; an empty file is skipped, because it is about to be filled. Nothing here throws because of the disk, since timers call it: a file
 * that cannot be looked at or read is tried again for as long as it would be held, and then given up.
 */
export class LateWrites {
  readonly #rescue: Rescue;
  readonly #held = new Set<Held>();
  readonly #rescuing = new Set<Held>();
  readonly #hold: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(rescue: Rescue, { hold = HOLD } = {}) {
    this.#rescue = rescue;
    this.#hold = hold;
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
      release: () => closeQuietly(fd),
      watch: (before, ours, bytes) => {
        const [oldest] = this.#held;
        if (this.#held.size >= MOST_HELD && oldest !== undefined) this.#drop(oldest);
        try {
          this.#held.add({
            fd,
            path,
            ours,
            before,
            tail: bytes === undefined ? tailOf(fd, before) : Buffer.from(bytes.subarray(-TAIL)),
            seen: signatureOf(fstatSync(fd, { bigint: true })),
            until: performance.now() + this.#hold,
            isFailing: false,
          });
        } catch (error) {
          closeQuietly(fd);
          throw error;
        }
        this.#timer ??= setInterval(() => this.#look(), LOOK).unref();
      },
    };
  }

  /** Rescues now what was written so far. Returns the paths of the files. */
  async finish(): Promise<VaultPath[]> {
    const changed = [...this.#held].filter(
      (held) => this.#ask(held, () => this.#isChanged(held)) === true,
    );
    await Promise.all(changed.map((held) => this.#handOver(held)));
    return changed.map(({ path }) => path);
  }

  close(): void {
    for (const held of this.#held) {
      if (held.isFailing) this.#giveUp(held);
      else this.#drop(held);
    }
  }

  #look(): void {
    for (const held of this.#held) {
      if (this.#rescuing.has(held)) continue;
      this.#ask(held, () => this.#lookAt(held));
      if (held.isFailing && performance.now() > held.until) this.#giveUp(held);
    }
  }

  #lookAt(held: Held): void {
    const now = performance.now();
    const present = signatureOf(fstatSync(held.fd, { bigint: true }));
    if (present !== held.seen) {
      held.seen = present;
      held.until = now + this.#hold;
    } else if (this.#isChanged(held)) void this.#handOver(held);
    else if (now > held.until) this.#drop(held);
  }

  /** What `work` finds out of a held file; null while the disk fails. */
  #ask<T>(held: Held, work: () => T): T | null {
    held.isFailing = false;
    try {
      return work();
    } catch {
      held.isFailing = true;
      return null;
    }
  }

  #isChanged(held: Held): boolean {
    const now = fstatSync(held.fd, { bigint: true });
    return signatureOf(now) !== signatureOf(held.before) && now.size > 0n;
  }

  async #handOver(held: Held): Promise<void> {
    const { path, ours } = held;
    const found = this.#ask(held, () => addedTo(held));
    if (found === null) return;
    this.#rescuing.add(held);
    let landed: BigIntStats | null;
    try {
      landed = await this.#rescue.apply({ path, ours, ...found });
    } catch {
      // Neither vault nor state folder takes it now: it is held, and tried again, until one does.
      held.until = performance.now() + this.#hold;
      return;
    } finally {
      this.#rescuing.delete(held);
    }
    if (!this.#held.has(held)) return;
    held.ours = landed ?? ours;
    held.before = found.now;
    held.tail = Buffer.from(found.bytes.subarray(-TAIL));
  }

  #giveUp(held: Held): void {
    const { path, fd } = held;
    const bytes = readableBytes(fd);
    try {
      if (bytes.length > 0) this.#rescue.keep({ path, bytes });
    } catch {
      // The state folder's disk fails too.
    }
    this.#drop(held);
  }

  #drop(held: Held): void {
    if (this.#held.delete(held)) closeQuietly(held.fd);
    if (this.#held.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

/** What is in a held file now, and where what was added begins. */
function addedTo({
  fd,
  before,
  tail,
}: Held): Pick<LateWrite, "bytes" | "addedAt"> & { readonly now: BigIntStats } {
  const now = fstatSync(fd, { bigint: true });
  const bytes = readBytes(fd, 0, Number(now.size));
  const wasAddedTo = now.size > before.size && tailOf(fd, before).equals(tail);
  return { now, bytes, addedAt: wasAddedTo ? Number(before.size) : null };
}

/** What comes before the first part that the disk does not give. */
function readableBytes(fd: number): Buffer {
  const parts: Buffer[] = [];
  try {
    for (const part of partsOf(fd, TAIL)) parts.push(part);
  } catch {
    // What was read until here is all there is.
  }
  return Buffer.concat(parts);
}

/** A disk that fails when a file is closed has closed it all the same. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // It was only read.
  }
}

function tailOf(fd: number, { size }: BigIntStats): Buffer {
  const length = Math.min(Number(size), TAIL);
  return readBytes(fd, Number(size) - length, length);
}
