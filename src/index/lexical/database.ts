import path from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import { IN_MEMORY, openRebuildable } from "../../storage/sqlite.ts";

/** Raised when the tables or the way texts are cut or folded change: an older database is rebuilt. */
const SCHEMA_VERSION = 3;

/** A chunk's row id holds its file's id: a scope is then a test on the id alone. */
export const CHUNKS_PER_FILE = 2 ** 20;

const SCHEMA = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, updated TEXT, signature TEXT NOT NULL, next INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, start INTEGER NOT NULL, end INTEGER NOT NULL, headings TEXT NOT NULL,
    day TEXT, hash TEXT NOT NULL, meaning TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE fts USING fts5 (
    path, heading, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TABLE corpus (chunks INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
  INSERT INTO corpus VALUES (0, 0);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (fts, 'row');
  CREATE TABLE words (word TEXT PRIMARY KEY, fr TEXT NOT NULL, en TEXT NOT NULL, chunks INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX words_fr ON words (fr);
  CREATE INDEX words_en ON words (en);
`;

/** The index's database. `rebuilt` says why it is empty though there was one. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly rebuilt: string | null;
}

/** Opens the index in a folder; an older or damaged one is set aside and an empty one takes its place. Null: in memory. */
export function openIndexDatabase(folder: string | null): OpenedDatabase {
  return openRebuildable({
    file: folder === null ? IN_MEMORY : path.join(folder, "index.sqlite"),
    name: "The search index",
    consequence: "so nothing can be found",
    // What a power cut loses is restored by comparing with the files. `SqliteIndex` runs the checkpoints, in quiet moments. 24 MB of cache.
    pragmas:
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -24576; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0;",
    migrations: [SCHEMA],
    firstVersion: SCHEMA_VERSION,
    check: "SELECT count(*) FROM files; SELECT rowid FROM fts LIMIT 1;",
  });
}

/** Statements prepared once and used many times. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
