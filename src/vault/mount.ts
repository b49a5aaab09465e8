import { statSync } from "node:fs";

import { errnoOf, explainErrno } from "../errors.ts";

/** The disk that a vault's folder is on: another one may be mounted over it, or its own unmounted. */
export class Mount {
  readonly #folder: string;
  readonly #device: bigint | null;

  constructor(folder: string) {
    this.#folder = folder;
    try {
      this.#device = deviceOf(folder);
    } catch (error) {
      throw explainErrno(error, folder);
    }
  }

  /** Why nothing may be written. A folder that cannot be reached is no other disk: what is tried there says what is wrong. */
  problem(): string | null {
    const present = this.#present();
    if (present === null || present === this.#device) return null;
    return `Another disk is mounted at ${this.#folder} than when this program started. Nothing is written until the vault's own is back; if this one is right, stop the program and start it again.`;
  }

  #present(): bigint | null {
    try {
      return deviceOf(this.#folder);
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return null;
    }
  }
}

function deviceOf(folder: string): bigint | null {
  return statSync(folder, { bigint: true, throwIfNoEntry: false })?.dev ?? null;
}
