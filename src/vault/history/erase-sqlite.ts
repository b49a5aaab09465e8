import type { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";

import { blobsOf } from "./change-facts.ts";
import {
  affectedByPath,
  affectedByText,
  versionHolds,
  type ErasedHistory,
  type Erasure,
  type KeptTexts,
  type Needles,
  type StoredChange,
} from "./erase-history.ts";
import type { Change } from "./history-types.ts";

/**
 * Removes from a history what must not exist: changes that hold it cannot be undone any more. Within a transaction of the caller.
 * @param isDry only counts
 */
export function eraseFrom(database: DatabaseSync, erasure: Erasure, isDry: boolean): ErasedHistory {
  const rows = [...allChanges(database)];
  const found =
    "path" in erasure
      ? affectedByPath(rows, erasure.path)
      : affectedByText(rows, erasure, keptTexts(database, erasure));
  const count = (): number =>
    Number(database.prepare("SELECT count(DISTINCT hash) AS n FROM blobs").get()?.["n"]);
  if (isDry) {
    const kept = new Set(found.flatMap(({ row }) => blobsOf(row.change)));
    return { changes: found.length, versions: kept.size };
  }
  const before = count();
  for (const { row, left } of found) {
    if (left === null)
      database.prepare("DELETE FROM changes WHERE entry = ? AND seq = ?").run(row.entry, row.seq);
    else
      database
        .prepare("UPDATE changes SET detail = ? WHERE entry = ? AND seq = ?")
        .run(JSON.stringify(left), row.entry, row.seq);
  }
  const use = database.prepare("INSERT OR IGNORE INTO uses (entry, blob) VALUES (?, ?)");
  for (const entry of new Set(found.map(({ row }) => row.entry))) {
    database.prepare("DELETE FROM uses WHERE entry = ?").run(entry);
    const rest = database.prepare("SELECT detail FROM changes WHERE entry = ?").all(entry);
    for (const { detail } of rest)
      for (const blob of blobsOf(JSON.parse(String(detail)))) use.run(entry, blob);
  }
  database.exec(
    "DELETE FROM entries WHERE id NOT IN (SELECT entry FROM changes); DELETE FROM blobs WHERE hash NOT IN (SELECT blob FROM uses)",
  );
  return { changes: found.length, versions: before - count() };
}

function* allChanges(database: DatabaseSync): Generator<StoredChange> {
  const rows = database
    .prepare(
      "SELECT entries.rowid AS place, entry, seq, detail FROM changes JOIN entries ON entries.id = entry ORDER BY entries.rowid, seq",
    )
    .iterate();
  for (const { place, entry, seq, detail } of rows) {
    const change: Change = JSON.parse(String(detail));
    yield {
      entry: String(entry),
      seq: Number(seq),
      order: Number(place),
      change,
      detail: String(detail),
    };
  }
}

function keptTexts(database: DatabaseSync, needles: Needles): KeptTexts {
  const isIn = versionHolds(needles);
  const holding = new Set<string>();
  for (const { hash } of database.prepare("SELECT DISTINCT hash FROM blobs").all())
    if (isIn(bytesOf(database, String(hash)))) holding.add(String(hash));
  return { holding, bytesOf: (hash) => bytesOf(database, hash) };
}

function bytesOf(database: DatabaseSync, hash: string): Buffer {
  const rows = database.prepare("SELECT bytes FROM blobs WHERE hash = ? ORDER BY part").all(hash);
  return Buffer.concat(
    rows.flatMap(({ bytes }) => (bytes instanceof Uint8Array ? [zstdDecompressSync(bytes)] : [])),
  );
}
