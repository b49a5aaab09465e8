import type { Postgres } from "../../storage/postgres/postgres.ts";
import { blobsOf } from "../history/change-facts.ts";
import {
  affectedByPath,
  affectedByText,
  splicedBlobs,
  versionHolds,
  type Affected,
  type ErasedHistory,
  type Erasure,
  type KeptTexts,
  type Needles,
  type StoredChange,
} from "../history/erase-history.ts";
import type { Change } from "../history/history-types.ts";
import { Blobs } from "./blobs.ts";

/** Removes from the history of a vault what must not exist, within a transaction that holds its lock. @param isDry only counts */
export async function eraseRows(
  database: Postgres,
  vault: number,
  erasure: Erasure,
  isDry: boolean,
): Promise<ErasedHistory> {
  const blobs = new Blobs(database, vault);
  const rows = await allChanges(database, vault);
  const found =
    "path" in erasure
      ? affectedByPath(rows, erasure.path)
      : affectedByText(rows, erasure, await keptTexts(blobs, rows, erasure));
  if (isDry) {
    const kept = new Set(found.flatMap(({ row }) => blobsOf(row.change)));
    return { changes: found.length, versions: kept.size };
  }
  const before = await countBlobs(database, vault);
  for (const each of found) await rewrite(database, vault, each);
  for (const entry of new Set(found.map(({ row }) => row.entry)))
    await renewUses(database, vault, entry);
  await database.execute(
    "DELETE FROM entries e WHERE e.vault = $1 AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.vault = e.vault AND c.seq = e.seq)",
    [vault],
  );
  await blobs.removeUnused();
  if (found.length > 0)
    await database.execute("UPDATE vaults SET gaps_until = seq WHERE id = $1", [vault]);
  return { changes: found.length, versions: before - (await countBlobs(database, vault)) };
}

async function allChanges(database: Postgres, vault: number): Promise<StoredChange[]> {
  const rows = await database.query(
    "SELECT seq, n, detail FROM changes WHERE vault = $1 ORDER BY seq, n",
    [vault],
  );
  return rows.map(({ seq, n, detail }) => {
    const change: Change = JSON.parse(String(detail));
    return {
      entry: String(seq),
      seq: Number(n),
      order: Number(seq),
      change,
      detail: String(detail),
    };
  });
}

async function keptTexts(
  blobs: Blobs,
  rows: readonly StoredChange[],
  needles: Needles,
): Promise<KeptTexts> {
  const isIn = versionHolds(needles);
  const spliced = new Set(rows.flatMap(splicedBlobs));
  const bytes = new Map<string, Buffer>();
  const holding = new Set<string>();
  for (const hash of new Set(rows.flatMap(({ change }) => blobsOf(change)))) {
    const kept = await blobs.read(hash);
    if (kept === null) continue;
    if (isIn(kept)) holding.add(hash);
    if (spliced.has(hash)) bytes.set(hash, kept);
  }
  return { holding, bytesOf: (hash) => bytes.get(hash) ?? Buffer.alloc(0) };
}

async function rewrite(database: Postgres, vault: number, { row, left }: Affected): Promise<void> {
  const place = [vault, row.entry, row.seq];
  if (left === null)
    await database.execute("DELETE FROM changes WHERE vault = $1 AND seq = $2 AND n = $3", place);
  else
    await database.execute(
      "UPDATE changes SET detail = $4 WHERE vault = $1 AND seq = $2 AND n = $3",
      [...place, JSON.stringify(left)],
    );
}

async function renewUses(database: Postgres, vault: number, seq: string): Promise<void> {
  const rest = await database.query("SELECT detail FROM changes WHERE vault = $1 AND seq = $2", [
    vault,
    seq,
  ]);
  const used = rest.flatMap(({ detail }) => blobsOf(JSON.parse(String(detail))));
  await database.execute("DELETE FROM uses WHERE vault = $1 AND seq = $2", [vault, seq]);
  await database.execute(
    "INSERT INTO uses (vault, seq, blob) SELECT DISTINCT $1::integer, $2::bigint, blob FROM unnest($3::text[]) AS blob",
    [vault, seq, used],
  );
}

async function countBlobs(database: Postgres, vault: number): Promise<number> {
  const row = await database.one("SELECT count(DISTINCT hash) AS n FROM blobs WHERE vault = $1", [
    vault,
  ]);
  return Number(row?.["n"]);
}
