import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import type { VaultReader } from "../vault.ts";
import { DiskOverlayStore } from "./disk-overlay-store.ts";
import { openOverlayIn, type OverlayVault } from "./overlay-vault.ts";
import { keepingOverlay, makeOverlayFolder } from "./overlay-folder.ts";
import type { Overlays } from "./overlays.ts";

export interface OverlayOptions {
  /** What is read through to, and never written. */
  readonly base: VaultReader;
  /** Where changes are kept: in the state folder, overlays survive a restart. */
  readonly folder: string;
  readonly now: () => Date;
}

/** Opens an overlay: a new one in an empty folder, or one that was kept there. */
export async function openOverlay({ base, folder, now }: OverlayOptions): Promise<OverlayVault> {
  makeOverlayFolder(folder);
  return openOverlayIn(base, new DiskOverlayStore(folder, now));
}

/** The overlays of a vault that one process owns, each in a folder. */
export class DiskOverlays implements Overlays {
  readonly #options: OverlayOptions;

  constructor(options: OverlayOptions) {
    this.#options = options;
  }

  #folderOf(name: string): string {
    return path.join(this.#options.folder, name);
  }

  async create(name: string): Promise<OverlayVault> {
    await this.remove(name);
    return openOverlay({ ...this.#options, folder: this.#folderOf(name) });
  }

  async has(name: string): Promise<boolean> {
    return existsSync(this.#folderOf(name));
  }

  async open(name: string): Promise<OverlayVault> {
    if (!(await this.has(name)))
      throw new ExpectedError("not_found", `The changes of ${name} are no longer kept.`);
    return openOverlay({ ...this.#options, folder: this.#folderOf(name) });
  }

  async remove(name: string): Promise<void> {
    const folder = this.#folderOf(name);
    keepingOverlay(folder, () => rmSync(folder, { recursive: true, force: true }));
  }

  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    const { folder } = this.#options;
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) if (!names.has(name)) await this.remove(name);
  }

  /** One process owns the vault, and answers for an overlay once. */
  async settle<T>(_name: string, work: () => Promise<T>): Promise<T> {
    return work();
  }
}
