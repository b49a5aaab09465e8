import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { errnoOf } from "../../errors.ts";
import { versionHash, type FileVersion } from "../files/version.ts";
import type { VaultPath } from "../paths.ts";
import { createVault, type LocalVault } from "../vault.ts";
import { keepingOverlay, makeOverlayFolder } from "./overlay-folder.ts";
import type { OverlayStore } from "./overlay-store.ts";

const Brought = z.record(z.string(), z.string());

/** Keeps an overlay in a folder of its own: opened again with the same folder, it is as it was. */
export class DiskOverlayStore implements OverlayStore {
  readonly copies: LocalVault;
  readonly isShared = false;
  readonly #place: string;
  readonly #large: string;
  readonly #brought: Map<VaultPath, string>;

  constructor(folder: string, now: () => Date) {
    const root = path.join(folder, "notes");
    makeOverlayFolder(root);
    this.#place = path.join(folder, "brought.json");
    this.#large = path.join(folder, "large");
    this.#brought = new Map(Object.entries(readBrought(this.#place)));
    this.copies = createVault({ root, state: path.join(folder, "state"), now });
  }

  async brought(): Promise<Map<VaultPath, string>> {
    return new Map(this.#brought);
  }

  async bring(place: VaultPath, bytes: Buffer, hash: string): Promise<void> {
    const copy = this.#placeOf(place);
    makeOverlayFolder(path.dirname(copy));
    // Recorded first.
    this.#brought.set(place, hash);
    keepingOverlay(copy, () => {
      writeFileSync(this.#place, JSON.stringify(Object.fromEntries(this.#brought)));
      writeFileSync(copy, bytes);
    });
  }

  async makeFolder(place: VaultPath): Promise<void> {
    makeOverlayFolder(this.#placeOf(place));
  }

  async keepLarge(bytes: Buffer): Promise<void> {
    makeOverlayFolder(this.#large);
    const copy = path.join(this.#large, versionHash(bytes));
    keepingOverlay(copy, () => writeFileSync(copy, bytes));
  }

  async large({ hash }: FileVersion): Promise<Buffer> {
    const copy = path.join(this.#large, hash ?? "");
    return keepingOverlay(copy, () => readFileSync(copy));
  }

  #placeOf(place: VaultPath): string {
    return path.join(this.copies.root, ...place.split("/"));
  }
}

function readBrought(place: string): z.infer<typeof Brought> {
  const text = keepingOverlay(place, () => readIfThere(place));
  return text === null ? {} : Brought.parse(JSON.parse(text));
}

function readIfThere(place: string): string | null {
  try {
    return readFileSync(place, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}
