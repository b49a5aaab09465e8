import { statSync } from "node:fs";

/**
 * Notices that an open file is no longer the one its path leads to: a folder that was removed and created again has other files, while those
 * held open go on working where nobody finds them.
 */
export class SameFile {
  readonly #file: string;
  readonly #inode: string | null;

  /** @param file it exists now */
  constructor(file: string) {
    this.#file = file;
    this.#inode = inodeOf(file);
  }

  get isThere(): boolean {
    return this.#inode !== null && inodeOf(this.#file) === this.#inode;
  }
}

/** Null when nothing is there, or it cannot be reached. */
function inodeOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
