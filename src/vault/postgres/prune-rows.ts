import type { Postgres } from "../../storage/postgres/postgres.ts";
import { DAY, LONGEST_GAP, type KeepLimits } from "../history/history.ts";
import { Blobs } from "./blobs.ts";
import type { VaultRow } from "./vault-row.ts";

/**
 * Ages are sums of the gaps between one change and the next, in the order they were made: a wrong clock shifts one gap, and cannot make all
 * of the history old at once.
 */
const FORGET_OLD = `
  WITH gaps AS (
    SELECT seq, lead(at, 1, $2::bigint) OVER (ORDER BY seq) - at AS gap FROM entries WHERE vault = $1
  ), aged AS (
    SELECT seq, sum(CASE WHEN abs(gap) <= $3 THEN gap ELSE 0 END) OVER (ORDER BY seq DESC) AS age FROM gaps
  )
  DELETE FROM entries WHERE vault = $1 AND NOT pinned
    AND seq IN (SELECT seq FROM aged WHERE age > $4 AND seq < (SELECT max(seq) FROM aged))`;

/** A tenth at a time, oldest first. */
const FORGET_OLDEST = `
  DELETE FROM entries WHERE vault = $1 AND seq IN (
    SELECT seq FROM entries WHERE vault = $1 AND NOT pinned
      AND seq < (SELECT max(seq) FROM entries WHERE vault = $1)
    ORDER BY seq LIMIT (SELECT greatest(1, count(*) / 10) FROM entries WHERE vault = $1))`;

/** Of what may be forgotten: an adoption's old bytes must not push out the rest of the history. */
const UNPINNED_BYTES = `
  SELECT coalesce(sum(length(b.bytes)), 0) AS bytes FROM blobs b WHERE b.vault = $1
    AND EXISTS (SELECT 1 FROM uses u WHERE u.vault = b.vault AND u.blob = b.hash)
    AND NOT EXISTS (SELECT 1 FROM uses u JOIN entries e ON e.vault = u.vault AND e.seq = u.seq
      WHERE u.vault = b.vault AND u.blob = b.hash AND e.pinned)`;

/** Forgets what exceeds the limits, at most once a day: see {@link History.prune}. */
export async function pruneRows(
  database: Postgres,
  row: VaultRow,
  now: Date,
  keep: KeepLimits,
): Promise<void> {
  if (!(await isDue(database, row.id, now))) return;
  const blobs = new Blobs(database, row.id);
  await database.transaction(async () => {
    await row.lock();
    // Another process may have done it meanwhile.
    if (!(await isDue(database, row.id, now))) return;
    await database.execute("UPDATE vaults SET pruned = $2 WHERE id = $1", [row.id, now.getTime()]);
    const age = keep.days * DAY;
    await database.execute(FORGET_OLD, [row.id, now.getTime(), LONGEST_GAP, age]);
    await blobs.removeUnused();
    const bytes = async (): Promise<number> =>
      Number((await database.one(UNPINNED_BYTES, [row.id]))?.["bytes"]);
    while ((await bytes()) > keep.bytes && (await database.execute(FORGET_OLDEST, [row.id])) > 0)
      await blobs.removeUnused();
  });
}

async function isDue(database: Postgres, vault: number, now: Date): Promise<boolean> {
  const row = await database.one("SELECT pruned FROM vaults WHERE id = $1", [vault]);
  if (row === null || row["pruned"] === null) return true;
  const since = now.getTime() - Number(row["pruned"]);
  // A date in the future was written while the clock was wrong.
  return since < 0 || since >= DAY;
}
