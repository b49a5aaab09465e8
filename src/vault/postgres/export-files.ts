import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { ExpectedError, explainErrno } from "../../errors.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { hashOfParts } from "../history/history.ts";
import { nameOf, parentOf, type VaultPath } from "../paths.ts";
import { TEMPORARY_PREFIX } from "../write/open-folder.ts";
import { Blobs } from "./blobs.ts";
import type { VaultRow } from "./vault-row.ts";

export interface ExportParts {
  readonly database: Postgres;
  readonly row: VaultRow;
  /** Empty, or with a part of the same vault, as an export that was cut off leaves it. */
  readonly folder: string;
  readonly onFile?: (done: number, total: number) => void;
  /** Called when nothing is refused and nothing is written yet. */
  readonly beforeFirst?: () => Promise<void>;
}

export interface ExportedFiles {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

/** Of a write that was cut off. */
const UNFINISHED = `${TEMPORARY_PREFIX}export`;

/**
 * Writes all files of a vault into a folder, under the names they had on the disk they came from. Nothing that is there is overwritten: what is
 * no part of the vault is refused before anything is written.
 */
export async function exportFiles(parts: ExportParts): Promise<ExportedFiles> {
  const { database, row, folder, onFile, beforeFirst } = parts;
  const rows = await database.query(
    "SELECT path, is_folder, hash, size, modified, on_disk FROM tree WHERE vault = $1 ORDER BY path",
    [row.id],
  );
  const places = placesOf(rows);
  const written = refuseOthers(folder, rows, places);
  await beforeFirst?.();
  const blobs = new Blobs(database, row.id);
  const files = rows.filter((each) => each["is_folder"] !== true);
  let bytes = 0;
  try {
    for (const each of rows)
      if (each["is_folder"] === true)
        mkdirSync(path.join(folder, placeIn(places, each)), { recursive: true });
    for (const [at, file] of files.entries()) {
      const place = placeIn(places, file);
      if (!written.has(place)) await writeOne(path.join(folder, place), file, blobs, folder);
      bytes += Number(file["size"]);
      onFile?.(at + 1, files.length);
    }
  } catch (error) {
    throw explainErrno(error, folder);
  }
  return { files: files.length, folders: rows.length - files.length, bytes };
}

/** Where each path lies on the disk. */
function placesOf(rows: readonly Row[]): ReadonlyMap<VaultPath, string> {
  const places = new Map<VaultPath, string>([["", ""]]);
  for (const row of rows) {
    const own = String(row["path"]);
    const name = typeof row["on_disk"] === "string" ? row["on_disk"] : nameOf(own);
    places.set(own, path.join(places.get(parentOf(own)) ?? parentOf(own), name));
  }
  return places;
}

function placeIn(places: ReadonlyMap<VaultPath, string>, row: Row): string {
  return places.get(String(row["path"])) ?? String(row["path"]);
}

/** Returns the files that are there with the bytes they must have. Throws `already_exists` for anything else that is there. */
function refuseOthers(
  folder: string,
  rows: readonly Row[],
  places: ReadonlyMap<VaultPath, string>,
): ReadonlySet<string> {
  const written = new Set<string>();
  if (!existsSync(folder)) return written;
  const expected = new Map(rows.map((row) => [placeIn(places, row), row]));
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const place = path.relative(folder, path.join(entry.parentPath, entry.name));
    if (place === UNFINISHED) continue;
    const row = expected.get(place);
    const isSame =
      row !== undefined &&
      (entry.isDirectory()
        ? row["is_folder"] === true
        : entry.isFile() && hashOfParts([readFileSync(path.join(folder, place))]) === row["hash"]);
    if (!isSame)
      throw new ExpectedError(
        "already_exists",
        `${path.join(folder, place)} is no part of this vault, or differs from it. A vault is exported into an empty folder only; nothing was written.`,
      );
    if (entry.isFile()) written.add(place);
  }
  return written;
}

async function writeOne(place: string, row: Row, blobs: Blobs, folder: string): Promise<void> {
  const bytes = await blobs.read(String(row["hash"]));
  if (bytes === null)
    throw new ExpectedError(
      "unavailable",
      `The bytes of ${String(row["path"])} are not in the database: restore it from a backup of the database.`,
    );
  // A file has its name when all of it is written.
  const temporary = path.join(folder, UNFINISHED);
  writeFileSync(temporary, bytes);
  const modified = Number(row["modified"]) / 1000;
  utimesSync(temporary, modified, modified);
  renameSync(temporary, place);
}
