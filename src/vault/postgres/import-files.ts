import { readdirSync, readFileSync, statSync, type Dirent } from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../../errors.ts";
import type { Postgres } from "../../storage/postgres/postgres.ts";
import { TREE_FILE } from "../files/generated-tree.ts";
import { joinPath, nameKey, nameOf, type VaultPath } from "../paths.ts";
import type { LocalVault } from "../vault.ts";
import { TreeRows, type TreeRow } from "./tree-rows.ts";
import { TreeWrites, type VaultLimits } from "./tree-writes.ts";
import type { VaultRow } from "./vault-row.ts";

/** Why something of a folder is not imported. */
export type SkipReason =
  | "hidden name"
  | "ignored"
  | "link"
  | "no file"
  | "name"
  | "too large"
  | "generated";

/** Something that was not imported: a folder stands for all in it. */
export interface Skipped {
  readonly path: string;
  readonly reason: SkipReason;
}

/** Something on the disk that is imported. */
interface Found {
  readonly kind: "file" | "folder";
  readonly path: VaultPath;
  /** Its name on the disk, which may be of another Unicode form than that in its path. */
  readonly onDisk: string;
  readonly place: string;
}

export interface ImportedFiles {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly skipped: readonly Skipped[];
}

export interface ImportParts {
  readonly database: Postgres;
  readonly row: VaultRow;
  readonly source: LocalVault;
  readonly limits: VaultLimits;
  /** Called with how many of how many files are done. */
  readonly onFile?: (done: number, total: number) => void;
}

/** A transaction takes so many files, or bytes, whichever comes first. */
const MOST_FILES = 100;
const MOST_BYTES = 8 * 1024 * 1024;

/** Begins an import into a vault that is empty, or goes on with one that was cut off. Throws `already_exists` for any other vault. */
export async function beginImport(
  database: Postgres,
  row: VaultRow,
  folder: string,
): Promise<void> {
  await database.transaction(async () => {
    await row.lock();
    const state = await database.one(
      `SELECT importing, EXISTS (SELECT 1 FROM tree WHERE vault = $1) OR EXISTS (SELECT 1 FROM entries WHERE vault = $1) AS used
       FROM vaults WHERE id = $1`,
      [row.id],
    );
    const importing = state?.["importing"];
    if (importing === folder) return;
    if (typeof importing === "string")
      throw new ExpectedError(
        "already_exists",
        `The vault ${row.name} holds a part of ${importing}: import that folder again, and it goes on where it was cut off.`,
      );
    if (state?.["used"] === true)
      throw new ExpectedError(
        "already_exists",
        `The vault ${row.name} holds something already. A folder is imported into an empty vault only; choose another name.`,
      );
    await database.execute("UPDATE vaults SET importing = $2 WHERE id = $1", [row.id, folder]);
  });
}

export async function endImport(database: Postgres, row: VaultRow): Promise<void> {
  await database.execute("UPDATE vaults SET importing = NULL WHERE id = $1", [row.id]);
}

/** Makes the rows of a vault equal to a folder: a file of the same size and time is not read again, what is gone from the folder is removed. */
export async function importFiles(parts: ImportParts): Promise<ImportedFiles> {
  const { database, row, source, limits, onFile } = parts;
  const skipped: Skipped[] = [];
  const found = await everythingIn(source, limits, skipped);
  const known = new Map((await new TreeRows(database, row.id).under("")).map((r) => [r.path, r]));
  const kept = new Set(found.map((each) => each.path));
  const gone = [...known.values()].filter((each) => !kept.has(each.path));
  if (gone.length > 0)
    await inTransaction(parts, async (tree) => {
      await tree.remove(gone);
    });
  const folders = found.filter((each) => each.kind === "folder");
  await inTransaction(parts, async (tree) => {
    for (const each of folders) await importFolder(tree, each, known.get(each.path));
  });
  const files = found.filter((each) => each.kind === "file");
  let [done, bytes] = [0, 0];
  while (done < files.length) {
    const from = done;
    await inTransaction(parts, async (tree) => {
      let size = 0;
      for (
        let at = from;
        at < files.length && at < from + MOST_FILES && size < MOST_BYTES;
        at += 1
      ) {
        const file = files[at];
        if (file !== undefined) size += await importFile(tree, file, known.get(file.path));
        done += 1;
      }
      bytes += size;
    });
    onFile?.(done, files.length);
  }
  return { files: files.length, folders: folders.length, bytes, skipped };
}

async function inTransaction(
  { database, row, limits }: ImportParts,
  work: (tree: TreeWrites) => Promise<void>,
): Promise<void> {
  await database.transaction(async () => {
    await row.lock();
    await work(new TreeWrites(database, row, limits));
    // Who keeps something of the vault in memory looks again.
    await row.next();
  });
}

async function importFolder(
  tree: TreeWrites,
  { path: folder, onDisk, place }: Found,
  known: TreeRow | undefined,
): Promise<void> {
  if (known === undefined) await tree.putFolder(folder, Math.floor(statSync(place).mtimeMs));
  if (onDisk !== nameOf(folder)) tree.nameOnDisk(folder, onDisk);
}

/** Returns how many bytes it has. */
async function importFile(
  tree: TreeWrites,
  { path: file, onDisk, place }: Found,
  known: TreeRow | undefined,
): Promise<number> {
  let bytes: Buffer;
  let times: { modified: number; created: number };
  try {
    const { mtimeMs, birthtimeMs, size } = statSync(place);
    times = { modified: Math.floor(mtimeMs), created: Math.floor(birthtimeMs) };
    const isDone = known?.kind === "file" && known.modified === times.modified;
    if (isDone && known.facts.bytes === size) return size;
    bytes = readFileSync(place);
  } catch (error) {
    throw explainErrno(error, place);
  }
  await tree.put(file, bytes, known?.kind === "file" ? known : null, times);
  if (onDisk !== nameOf(file)) tree.nameOnDisk(file, onDisk);
  return bytes.length;
}

/** What the vault's rules show, each folder before what is in it. */
async function everythingIn(
  source: LocalVault,
  limits: VaultLimits,
  skipped: Skipped[],
): Promise<Found[]> {
  const scanned = new Map(
    (await source.scan())
      .filter(({ kind }) => kind !== "unreachable")
      .map((each) => [each.path, each]),
  );
  const found: Found[] = [];
  const taken = new Set<VaultPath>();
  const walk = async (place: string, folder: VaultPath): Promise<void> => {
    const entries = entriesOf(place);
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const inside = path.join(place, entry.name);
      const own = joinPath(folder, nameKey(entry.name));
      const isSecond = entry.name !== nameKey(entry.name) && names.has(nameKey(entry.name));
      const reason =
        isSecond || taken.has(own) ? "name" : reasonFor(entry, scanned.get(own), limits);
      const why =
        reason ?? (own === TREE_FILE && (await source.isGenerated(own)) ? "generated" : null);
      if (why !== null) {
        skipped.push({ path: path.relative(source.root, inside), reason: why });
        continue;
      }
      const kind = entry.isDirectory() ? "folder" : "file";
      taken.add(own);
      found.push({ kind, path: own, onDisk: entry.name, place: inside });
      if (kind === "folder") await walk(inside, own);
    }
  };
  await walk(source.root, "");
  return found;
}

function entriesOf(place: string): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true }).toSorted((a, b) =>
      Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)),
    );
  } catch (error) {
    throw explainErrno(error, place);
  }
}

function reasonFor(
  entry: Dirent,
  scanned: { readonly kind: string; readonly size?: number } | undefined,
  limits: VaultLimits,
): SkipReason | null {
  if (entry.name.startsWith(".")) return "hidden name";
  if (entry.isSymbolicLink()) return "link";
  if (!entry.isFile() && !entry.isDirectory()) return "no file";
  if (scanned?.kind === "hidden" || scanned?.kind === "unlisted") return "ignored";
  // Node cannot name it, or no path leads to it.
  if (scanned === undefined) return "name";
  return (scanned.size ?? 0) > limits.file ? "too large" : null;
}
