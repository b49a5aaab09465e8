import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import type { VaultReader } from "../vault.ts";
import { openOverlay, type OverlayVault } from "./overlay-vault.ts";

export interface OverlaysOptions {
  readonly base: VaultReader;
  /** In the state folder: overlays survive a restart there. */
  readonly folder: string;
  readonly now: () => Date;
}

/** The overlays of a vault, each with a name. */
export class Overlays {
  readonly #options: OverlaysOptions;

  constructor(options: OverlaysOptions) {
    this.#options = options;
  }

  #folderOf(name: string): string {
    return path.join(this.#options.folder, name);
  }

  /** A new one, in place of what a killed process left under this name. */
  async create(name: string): Promise<OverlayVault> {
    this.remove(name);
    const { base, now } = this.#options;
    return openOverlay({ base, now, folder: this.#folderOf(name) });
  }

  has(name: string): boolean {
    return existsSync(this.#folderOf(name));
  }

  /** Throws `not_found`. */
  async open(name: string): Promise<OverlayVault> {
    const folder = this.#folderOf(name);
    if (!this.has(name))
      throw new ExpectedError("not_found", `The changes of ${name} are no longer kept.`);
    const { base, now } = this.#options;
    return openOverlay({ base, now, folder });
  }

  remove(name: string): void {
    rmSync(this.#folderOf(name), { recursive: true, force: true });
  }

  /** Removes all others, of which nobody knows any more. */
  keepOnly(names: ReadonlySet<string>): void {
    const { folder } = this.#options;
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) if (!names.has(name)) this.remove(name);
  }
}
