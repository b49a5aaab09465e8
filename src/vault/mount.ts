import { statSync } from "node:fs";

/** The disk that a vault's folder is on: another one may be mounted over it, or its own unmounted. */
export class Mount {
  readonly #folder: string;
  readonly #device: bigint | null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#device = deviceOf(folder);
  }

  /** Why nothing may be written. A folder that cannot be reached is no other disk: what is tried there says what is wrong. */
  problem(): string | null {
    const present = deviceOf(this.#folder);
    if (present === null || present === this.#device) return null;
    return `Another disk is mounted at ${this.#folder} than when this program started. Nothing is written until the vault's own is back; if this one is right, stop the program and start it again.`;
  }
}

function deviceOf(folder: string): bigint | null {
  return statSync(folder, { bigint: true, throwIfNoEntry: false })?.dev ?? null;
}
