import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { versionHash, type FileVersion } from "../files/version.ts";
import type { VaultPath } from "../paths.ts";
import { createVault, type LocalVault } from "../vault.ts";
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
    mkdirSync(root, { recursive: true, mode: 0o700 });
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
    mkdirSync(path.dirname(copy), { recursive: true });
    // Recorded first.
    this.#brought.set(place, hash);
    writeFileSync(this.#place, JSON.stringify(Object.fromEntries(this.#brought)));
    writeFileSync(copy, bytes);
  }

  async makeFolder(place: VaultPath): Promise<void> {
    mkdirSync(this.#placeOf(place), { recursive: true });
  }

  async keepLarge(bytes: Buffer): Promise<void> {
    mkdirSync(this.#large, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(this.#large, versionHash(bytes)), bytes);
  }

  async large({ hash }: FileVersion): Promise<Buffer> {
    return readFileSync(path.join(this.#large, hash ?? ""));
  }

  #placeOf(place: VaultPath): string {
    return path.join(this.copies.root, ...place.split("/"));
  }
}

function readBrought(place: string): z.infer<typeof Brought> {
  try {
    return Brought.parse(JSON.parse(readFileSync(place, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
