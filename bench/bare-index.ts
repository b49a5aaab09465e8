import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** The least that looking at every file can cost. */
export function bareWalk(folder: string): number {
  let files = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) files += bareWalk(place);
    else files += lstatSync(place, { bigint: true }).size > 0n ? 1 : 0;
  }
  return files;
}

/** The least that a first index can cost: every file is read and inserted into FTS5 as one row. Returns milliseconds. */
export function bareIndex(root: string, database: string): number {
  const started = performance.now();
  const fts = new DatabaseSync(database);
  fts.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE fts USING fts5 (path, body, tokenize = 'unicode61 remove_diacritics 2'); BEGIN;",
  );
  const insert = fts.prepare("INSERT INTO fts VALUES (?, ?)");
  let count = 0;
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const place = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(place);
      else insert.run(place.slice(root.length + 1), readFileSync(place, "utf8"));
      count += 1;
      if (count % 500 === 0) fts.exec("COMMIT; BEGIN");
    }
  };
  walk(root);
  fts.exec("COMMIT");
  fts.close();
  for (const ending of ["", "-wal", "-shm"]) rmSync(database + ending, { force: true });
  return performance.now() - started;
}
