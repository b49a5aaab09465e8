import { ExpectedError } from "../../errors.ts";
import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import { blobsOf, originOf, standingUndo, type OriginStep } from "../history/change-facts.ts";
import type { ErasedHistory, Erasure } from "../history/erase-history.ts";
import {
  hashOfParts,
  STAMP_CALLS,
  type EntryFacts,
  type History,
  type KeepBytes,
  type KeepLimits,
} from "../history/history.ts";
import type { Change, FileOrigin, HistoryEntry, HistoryQuery } from "../history/history-types.ts";
import { oldestOf, recordedMove, type MovesAfter } from "../history/moved-places.ts";
import { parentOf, type VaultPath } from "../paths.ts";
import { Blobs } from "./blobs.ts";
import { eraseRows } from "./erase-rows.ts";
import { pruneRows } from "./prune-rows.ts";
import type { VaultRow } from "./vault-row.ts";

/** The history of one vault as rows. Within a transaction of its caller, what it records is a part of that. */
export class PostgresHistory implements History {
  readonly #database: Postgres;
  readonly #row: VaultRow;
  readonly #blobs: Blobs;

  constructor(database: Postgres, row: VaultRow) {
    this.#database = database;
    this.#row = row;
    this.#blobs = new Blobs(database, row.id);
  }

  async record(entry: EntryFacts, describe: (keep: KeepBytes) => Change): Promise<Change> {
    const [change] = await this.recordAll(entry, (keep) => [describe(keep)]);
    if (change === undefined) throw new Error("a change was not described");
    return change;
  }

  async recordAll(
    entry: EntryFacts,
    describe: (keep: KeepBytes) => readonly Change[],
  ): Promise<readonly Change[]> {
    const kept = new Map<string, Iterable<Buffer>>();
    const changes = describe((parts) => {
      const hash = hashOfParts(parts);
      kept.set(hash, parts);
      return hash;
    });
    await this.#database.transaction(async () => {
      const seq = await this.#entryRow(entry);
      for (const [hash, parts] of kept) await this.#blobs.put(parts, hash);
      await this.#add(seq, changes);
    });
    return changes;
  }

  /** The number of an entry; its row is made with its first change. */
  async #entryRow({ id, at, author }: EntryFacts): Promise<number> {
    await this.#row.lock();
    const known = await this.#database.one("SELECT seq FROM entries WHERE vault = $1 AND id = $2", [
      this.#row.id,
      id,
    ]);
    if (known !== null) return Number(known["seq"]);
    const { actor, call, batch, undoes = null, isPinned = false } = author;
    const seq = await this.#row.next();
    await this.#database.execute(
      "INSERT INTO entries (vault, seq, id, at, actor, call, batch, undoes, pinned) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      [this.#row.id, seq, id, at.getTime(), actor, call, batch, undoes, isPinned],
    );
    return seq;
  }

  async #add(seq: number, changes: readonly Change[]): Promise<void> {
    const rows = changes.map((change) => ({
      path: change.path,
      to: change.kind === "move" ? change.to : null,
      detail: JSON.stringify(change),
    }));
    await this.#database.execute(
      `INSERT INTO changes (vault, seq, n, path, to_path, detail)
       SELECT $1, $2, (SELECT coalesce(max(n), -1) FROM changes WHERE vault = $1 AND seq = $2) + c.at, c.path, c.to_path, c.detail
       FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS c (path, to_path, detail, at)`,
      [
        this.#row.id,
        seq,
        rows.map(({ path }) => path),
        rows.map(({ to }) => to),
        rows.map(({ detail }) => detail),
      ],
    );
    await this.#database.execute(
      "INSERT INTO uses (vault, seq, blob) SELECT $1, $2, blob FROM unnest($3::text[]) AS blob ON CONFLICT DO NOTHING",
      [this.#row.id, seq, [...new Set(changes.flatMap(blobsOf))]],
    );
  }

  async retract(id: string, count: number): Promise<void> {
    await this.#retracting(id, async (seq) => {
      await this.#database.execute(
        `DELETE FROM changes WHERE vault = $1 AND seq = $2
           AND n > (SELECT max(n) - $3 FROM changes WHERE vault = $1 AND seq = $2)`,
        [this.#row.id, seq, count],
      );
    });
  }

  async retractPaths(id: string, paths: readonly VaultPath[]): Promise<void> {
    await this.#retracting(id, async (seq) => {
      for (const path of paths)
        await this.#database.execute(
          `DELETE FROM changes WHERE vault = $1 AND seq = $2
             AND n = (SELECT max(n) FROM changes WHERE vault = $1 AND seq = $2 AND path = $3)`,
          [this.#row.id, seq, path],
        );
    });
  }

  async #retracting(id: string, remove: (seq: number) => Promise<void>): Promise<void> {
    await this.#database.transaction(async () => {
      await this.#row.lock();
      const entry = await this.#database.one(
        "SELECT seq FROM entries WHERE vault = $1 AND id = $2",
        [this.#row.id, id],
      );
      if (entry === null) return;
      const seq = Number(entry["seq"]);
      await remove(seq);
      await this.#database.execute(
        "DELETE FROM entries e WHERE e.vault = $1 AND e.seq = $2 AND NOT EXISTS (SELECT 1 FROM changes c WHERE c.vault = e.vault AND c.seq = e.seq)",
        [this.#row.id, seq],
      );
    });
  }

  async *parts(hash: string): AsyncGenerator<Buffer> {
    let isKept = false;
    for await (const part of this.#blobs.parts(hash)) {
      isKept = true;
      yield part;
    }
    if (!isKept)
      throw new ExpectedError("not_found", "The old bytes of this change are no longer kept.");
  }

  async entries({ path, call, limit }: HistoryQuery): Promise<HistoryEntry[]> {
    const isAll = path === null || path === "";
    const touched = `EXISTS (SELECT 1 FROM changes c WHERE c.vault = e.vault AND c.seq = e.seq AND (
        c.path = ANY ($3) OR c.to_path = ANY ($3)
        OR (c.path >= $4 AND c.path < $5) OR (c.to_path >= $4 AND c.to_path < $5)))`;
    const rows = await this.#database.query(
      `SELECT e.* FROM entries e WHERE e.vault = $1 AND ($6::text IS NULL OR e.call = $6)
       AND ($7::boolean OR ${touched}) ORDER BY e.seq DESC LIMIT $2`,
      // A limit larger than a 64-bit number is none.
      [
        this.#row.id,
        Math.min(limit, Number.MAX_SAFE_INTEGER),
        isAll ? [] : withParents(path),
        `${path ?? ""}/`,
        `${path ?? ""}0`,
        call ?? null,
        isAll,
      ],
    );
    return this.#complete(rows);
  }

  async entry(id: string): Promise<HistoryEntry | null> {
    const rows = await this.#database.query("SELECT * FROM entries WHERE vault = $1 AND id = $2", [
      this.#row.id,
      id,
    ]);
    const [entry] = await this.#complete(rows);
    return entry ?? null;
  }

  /** With their changes, and by what each was undone: two more queries, however many they are. */
  async #complete(rows: readonly Row[]): Promise<HistoryEntry[]> {
    if (rows.length === 0) return [];
    const names = rows.flatMap(({ id, batch }) => (typeof batch === "string" ? [id, batch] : [id]));
    const [changes, undos] = [
      await this.#database.query(
        "SELECT seq, detail FROM changes WHERE vault = $1 AND seq = ANY ($2) ORDER BY seq, n",
        [this.#row.id, rows.map((row) => row["seq"])],
      ),
      await this.#database.query(
        `WITH RECURSIVE undos AS (
           SELECT id, undoes, seq FROM entries WHERE vault = $1 AND undoes = ANY ($2)
           UNION SELECT e.id, e.undoes, e.seq FROM undos u JOIN entries e ON e.vault = $1 AND e.undoes = u.id
         ) SELECT id, undoes FROM undos ORDER BY seq DESC`,
        [this.#row.id, names],
      ),
    ];
    const bySeq = Map.groupBy(changes, (row) => String(row["seq"]));
    const undosOf = (one: string, other: string): string[] =>
      undos
        .filter(({ undoes }) => undoes === one || undoes === other)
        .map((row) => String(row["id"]));
    return rows.map((row) => {
      const id = String(row["id"]);
      const batch = typeof row["batch"] === "string" ? row["batch"] : null;
      return {
        id,
        at: new Date(Number(row["at"])),
        actor: String(row["actor"]),
        call: String(row["call"]),
        batch,
        undoes: typeof row["undoes"] === "string" ? row["undoes"] : null,
        undoneBy: standingUndo(id, batch, undosOf),
        changes: (bySeq.get(String(row["seq"])) ?? []).map(changeOf),
      };
    });
  }

  async idsFor(start: string): Promise<string[]> {
    const batch = await this.#database.query(
      "SELECT id FROM entries WHERE vault = $1 AND batch = $2 ORDER BY seq",
      [this.#row.id, start],
    );
    const rows =
      batch.length > 0
        ? batch
        : await this.#database.query(
            "SELECT id FROM entries WHERE vault = $1 AND starts_with(id, $2) ORDER BY seq LIMIT 20",
            [this.#row.id, start],
          );
    return rows.map((row) => String(row["id"]));
  }

  async origin(path: VaultPath, hash: string): Promise<FileOrigin> {
    const rows = await this.#database.query(
      `SELECT c.detail, e.call = ANY ($3) AS done, EXISTS (
           SELECT 1 FROM entries s WHERE s.vault = e.vault AND (s.id = e.undoes OR s.batch = e.undoes) AND s.call = ANY ($3)
         ) AS undone, EXISTS (
           SELECT 1 FROM entries u JOIN entries s ON s.vault = u.vault AND (s.id = u.undoes OR s.batch = u.undoes)
           WHERE u.vault = e.vault AND u.id = e.undoes AND s.call = ANY ($3)
         ) AS redone
       FROM changes c JOIN entries e ON e.vault = c.vault AND e.seq = c.seq
       WHERE c.vault = $1 AND c.path = $2 ORDER BY c.seq DESC, c.n DESC`,
      [this.#row.id, path, STAMP_CALLS],
    );
    const steps = rows.map((row): OriginStep => ({
      change: changeOf(row),
      stamp:
        row["done"] === true || row["redone"] === true
          ? "done"
          : row["undone"] === true
            ? "undone"
            : null,
    }));
    return originOf(steps, hash);
  }

  async movesAfter(ids: readonly string[]): Promise<MovesAfter> {
    const entries = await this.#database.query(
      "SELECT id, seq FROM entries WHERE vault = $1 AND id = ANY ($2)",
      [this.#row.id, ids],
    );
    const seqs = new Map(entries.map(({ id, seq }) => [String(id), Number(seq)]));
    const rows = await this.#database.query(
      "SELECT seq, path, to_path FROM changes WHERE vault = $1 AND to_path IS NOT NULL AND seq >= $2 ORDER BY seq, n",
      [this.#row.id, oldestOf(seqs, ids)],
    );
    return { seqs, moves: rows.map((row) => recordedMove(row["seq"], row)) };
  }

  async unpin(): Promise<number> {
    return this.#database.execute("UPDATE entries SET pinned = false WHERE vault = $1 AND pinned", [
      this.#row.id,
    ]);
  }

  async erase(erasure: Erasure, isDry: boolean): Promise<ErasedHistory> {
    return this.#database.transaction(async () => {
      await this.#row.lock();
      return eraseRows(this.#database, this.#row.id, erasure, isDry);
    });
  }

  async size(): Promise<{ entries: number; bytes: number }> {
    const row = await this.#database.one(
      `SELECT (SELECT count(*) FROM entries WHERE vault = $1) AS entries,
         (SELECT coalesce(sum(length(b.bytes)), 0) FROM blobs b WHERE b.vault = $1
            AND EXISTS (SELECT 1 FROM uses u WHERE u.vault = b.vault AND u.blob = b.hash)) AS bytes`,
      [this.#row.id],
    );
    return { entries: Number(row?.["entries"]), bytes: Number(row?.["bytes"]) };
  }

  async prune(now: Date, keep: KeepLimits): Promise<void> {
    await pruneRows(this.#database, this.#row, now, keep);
  }

  /** The connections are the database's. */
  close(): void {}
}

/** A path, and the folders above it: moving or removing one of those concerns it too. */
function withParents(path: VaultPath): VaultPath[] {
  const paths: VaultPath[] = [];
  for (let at = path; at !== ""; at = parentOf(at)) paths.push(at);
  return paths;
}

function changeOf(row: Row): Change {
  return JSON.parse(String(row["detail"]));
}
