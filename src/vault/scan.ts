import { lstatSync, readdirSync, type BigIntStats, type Dirent } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Disk } from "./disk.ts";
import { errnoOf, ExpectedError } from "../errors.ts";
import { readable } from "./listing.ts";
import { TEMPORARY_PREFIX } from "./write/open-folder.ts";
import { joinPath, nameKey, type VaultPath } from "./paths.ts";
import { signatureOf } from "./files/version.ts";

/** Something found by a scan of the vault. */
export type Scanned =
  | {
      readonly kind: "file";
      readonly path: VaultPath;
      readonly signature: string;
      readonly size: number;
      readonly isLink: boolean;
    }
  | { readonly kind: "folder"; readonly path: VaultPath }
  /** A temporary file of a killed process: a hidden name, for {@link Vault.sweep} alone. */
  | { readonly kind: "leftover"; readonly path: string };

export interface VaultScanner {
  /**
   * Every file and folder without opening any: signatures show what changed. One list, because a promise for each of 100,000 files would
   * cost more than finding it.
   */
  scan(): Promise<readonly Scanned[]>;
}

/** Files between two turns of the event loop. */
const SLICE = 5000;

export async function scanVault(disk: Disk): Promise<readonly Scanned[]> {
  const scanned: Scanned[] = [];
  for (const each of scanFolder(disk)) {
    scanned.push(each);
    if (scanned.length % SLICE === 0) await nextTurn();
  }
  return scanned;
}

/**
 * Walks the whole vault by names and stats alone, for speed. The result only shows which files to read again; reading them goes through the
 * {@link Disk}.
 */
function* scanFolder(disk: Disk): Generator<Scanned> {
  const entries = list(disk.root);
  if (entries === null) {
    throw new ExpectedError(
      "unavailable",
      `The vault folder ${disk.root} is gone or cannot be read.`,
    );
  }
  yield* scanEntries(disk, disk.root, "", entries);
}

function* scanEntries(
  disk: Disk,
  place: string,
  folder: VaultPath,
  entries: readonly Dirent[],
): Generator<Scanned> {
  const shown = new Set<string>();
  for (const entry of entries) {
    const inside = `${place}/${entry.name}`;
    if (entry.name.startsWith(".")) {
      if (entry.name.startsWith(TEMPORARY_PREFIX))
        yield { kind: "leftover", path: inside.slice(disk.root.length + 1) };
      continue;
    }
    const name = nameKey(entry.name);
    // Of names that differ only in their Unicode form, one is shown: see the listing.
    if (name !== entry.name && (shown.has(name) || hasExact(entries, name))) continue;
    shown.add(name);
    const path = joinPath(folder, name);
    if (entry.isDirectory()) {
      yield { kind: "folder", path };
      yield* scanEntries(disk, inside, path, list(inside) ?? []);
    } else {
      const stat = entry.isFile() ? statOf(inside) : linkedStat(disk, entry, path);
      if (stat !== null)
        yield {
          kind: "file",
          path,
          signature: signatureOf(stat),
          size: Number(stat.size),
          isLink: !entry.isFile(),
        };
    }
  }
}

function hasExact(entries: readonly Dirent[], name: string): boolean {
  return entries.some((entry) => entry.name === name);
}

/** Null for a folder that is gone or may not be read. */
function list(place: string): Dirent[] | null {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

function statOf(place: string): BigIntStats | null {
  return lstatSync(place, { bigint: true, throwIfNoEntry: false }) ?? null;
}

/** A link to a file inside the vault is that file, under another name. */
function linkedStat(disk: Disk, entry: Dirent, path: VaultPath): BigIntStats | null {
  if (!entry.isSymbolicLink()) return null;
  const found = readable(() => disk.find(path));
  return found?.kind === "file" ? found.stat : null;
}
