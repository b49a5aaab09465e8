import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

import { goneVault, readable, type Disk } from "./disk.ts";
import { errnoOf } from "../errors.ts";
import { TEMPORARY_PREFIX } from "./write/open-folder.ts";
import { joinPath, nameKey, type VaultPath } from "./paths.ts";
import { signatureOfStat, touchedOfStat } from "./files/version.ts";

/** Something found by a scan of the vault. */
export type Scanned =
  | {
      readonly kind: "file";
      readonly path: VaultPath;
      readonly signature: string;
      /** See `VaultItem`. */
      readonly touched: number;
      readonly size: number;
      /** Time of the last change: milliseconds since 1970. */
      readonly modified: number;
      readonly isLink: boolean;
    }
  | { readonly kind: "folder"; readonly path: VaultPath }
  /** A file, or a folder with all in it, that an ignore file or its name keeps out. */
  | { readonly kind: "hidden"; readonly path: VaultPath }
  | { readonly kind: "unlisted"; readonly path: VaultPath }
  /** Something that no path leads to, and why. */
  | { readonly kind: "unreachable"; readonly path: VaultPath; readonly problem: string }
  /** A temporary file of a killed process: a hidden name, for {@link Vault.sweep} alone. */
  | { readonly kind: "leftover"; readonly path: string };

/** Files, and folders with all in them, that are kept out: by a `.coffreignore`, and by a `.gitignore` or their name. */
export type Ignored = Readonly<Record<"hidden" | "unlisted", readonly VaultPath[]>>;

export function ignoredAmong(scanned: readonly Scanned[]): Ignored {
  const ignored: Record<keyof Ignored, VaultPath[]> = { hidden: [], unlisted: [] };
  for (const { kind, path } of scanned)
    if (kind === "hidden" || kind === "unlisted") ignored[kind].push(path);
  return ignored;
}

export function countIgnored({ hidden, unlisted }: Ignored): Record<keyof Ignored, number> {
  return { hidden: hidden.length, unlisted: unlisted.length };
}

/** Files between two turns of the event loop. */
const SLICE = 1000;

/**
 * Walks the whole vault by names and stats alone, for speed. The result only shows which files to read again; reading them goes through the
 * {@link Disk}.
 */
export async function scanVault(disk: Disk): Promise<readonly Scanned[]> {
  const entries = list(disk.root);
  if (entries === null) throw goneVault(disk.root);
  const scanned: Scanned[] = [];
  // A list, and not a generator in a generator: handing every file up through all folders above it takes longer than finding it.
  const waiting = [{ place: disk.root, path: "" }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = folder.path === "" ? entries : (list(folder.place) ?? []);
    for (const each of scanEntries(disk, folder, found, waiting)) {
      scanned.push(each);
      if (scanned.length % SLICE === 0) await nextTurn();
    }
  }
  return scanned;
}

interface FolderAt {
  readonly place: string;
  readonly path: VaultPath;
}

/** @param below gets the folders in this one */
function* scanEntries(
  disk: Disk,
  { place, path: folder }: FolderAt,
  entries: readonly Dirent[],
  below: FolderAt[],
): Generator<Scanned> {
  const shown = new Set<string>();
  // Only a folder with names of another form pays for it.
  let exact: ReadonlySet<string> | null = null;
  const rules = disk.ignore.inFolder(place, entries);
  for (const entry of entries) {
    const inside = `${place}/${entry.name}`;
    if (entry.name.startsWith(".")) {
      if (entry.name.startsWith(TEMPORARY_PREFIX))
        yield { kind: "leftover", path: inside.slice(disk.root.length + 1) };
      continue;
    }
    const name = nameKey(entry.name);
    const verdict = rules.judge(entry.name, entry.isDirectory());
    if (verdict !== null) {
      yield { kind: verdict, path: joinPath(folder, name) };
      continue;
    }
    // Of names that differ only in their Unicode form, one is shown: see the listing.
    if (name !== entry.name) {
      exact ??= new Set(entries.map((each) => each.name));
      if (shown.has(name) || exact.has(name)) {
        const problem = "another name there differs from it only in its Unicode form (NFC, NFD)";
        yield { kind: "unreachable", path: joinPath(folder, name), problem };
        continue;
      }
      shown.add(name);
    }
    // Node shows bytes that are no UTF-8 so, and finds nothing under such a name.
    if (name.includes("\uFFFD") && lstatSync(inside, { throwIfNoEntry: false }) === undefined) {
      yield { kind: "unreachable", path: joinPath(folder, name), problem: "its name is not UTF-8" };
      continue;
    }
    const path = joinPath(folder, name);
    if (entry.isDirectory()) {
      below.push({ place: inside, path });
      yield { kind: "folder", path };
    } else {
      const isFile = entry.isFile();
      const real = isFile ? inside : linkedPlace(disk, entry, path);
      const stat = real === null ? undefined : lstatSync(real, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const { size } = stat;
      const modified = Math.floor(stat.mtimeMs);
      yield {
        kind: "file",
        path,
        signature: signatureOfStat(stat),
        touched: touchedOfStat(stat),
        size,
        modified,
        isLink: !isFile,
      };
    }
  }
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

/** A link to a file inside the vault is that file, under another name. */
function linkedPlace(disk: Disk, entry: Dirent, path: VaultPath): string | null {
  const found = entry.isSymbolicLink() ? readable(() => disk.find(path)) : null;
  return found?.kind === "file" ? found.real : null;
}
