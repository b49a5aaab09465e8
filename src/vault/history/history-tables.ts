/** The tables of the history, version by version. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, call TEXT NOT NULL,
    batch TEXT, undoes TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS entries_at ON entries (at);
  CREATE INDEX IF NOT EXISTS entries_batch ON entries (batch);
  CREATE TABLE IF NOT EXISTS changes (
    entry TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    path TEXT NOT NULL, to_path TEXT, detail TEXT NOT NULL, PRIMARY KEY (entry, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS changes_path ON changes (path);
  CREATE TABLE IF NOT EXISTS uses (
    entry TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE, blob TEXT NOT NULL,
    PRIMARY KEY (entry, blob)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS uses_blob ON uses (blob);
  CREATE TABLE IF NOT EXISTS blobs (
    hash TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (hash, part)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
`;

export const PINS = "ALTER TABLE entries ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;";

/**
 * Ages are sums of the gaps between one change and the next, in the order they were made: a wrong clock shifts one gap, and cannot make all
 * of the history old at once.
 */
export const FORGET_OLD = `
  WITH gaps AS (
    SELECT rowid AS turn, id, lead(at, 1, :now) OVER (ORDER BY rowid) - at AS gap FROM entries
  ), aged AS (
    SELECT id, turn, sum(CASE WHEN abs(gap) <= :longest THEN gap ELSE 0 END) OVER (ORDER BY turn DESC) AS age FROM gaps
  )
  DELETE FROM entries WHERE pinned = 0 AND id IN (SELECT id FROM aged WHERE age > :age AND turn < (SELECT max(turn) FROM aged))`;
