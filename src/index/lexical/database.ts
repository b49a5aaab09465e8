import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";

import { explainErrno } from "../../errors.ts";

/** Raised when the tables or the way texts are cut or folded change: an older database is built anew. */
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

/** The index's database, opened or made. `rebuilt` says why it is empty though there was one. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly rebuilt: string | null;
}

/** Opens the index in a folder; an older or damaged one is set aside and an empty one takes its place. */
export function openDatabase(folder: string): OpenedDatabase {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainErrno(error, `The folder of the search index, ${folder},`);
  }
  const file = path.join(folder, "index.sqlite");
  const existed = existsSync(file);
  try {
    const database = connect(file);
    const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
    if (version === SCHEMA_VERSION) {
      database.prepare("SELECT count(*) FROM files").get();
      database.prepare("SELECT rowid FROM fts LIMIT 1").get();
      return { database, file, rebuilt: null };
    }
    if (!existed || isEmpty(database)) {
      create(database);
      return { database, file, rebuilt: null };
    }
    database.close();
    return replace(file, "it was made by another version");
  } catch (error) {
    return replace(
      file,
      `it was damaged (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

function isEmpty(database: DatabaseSync): boolean {
  return Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"]) === 0;
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  // What the last moments before a power cut lose is found again by comparing with the files. The log is brought in by `SqliteIndex`, in
  // quiet moments. 24 MB of cache.
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -24576; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0;",
  );
  return database;
}

function create(database: DatabaseSync): void {
  database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
}

/** Keeps the old file beside the new one, for whoever wants to look at it. */
function replace(file: string, why: string): OpenedDatabase {
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  renameSync(file, `${file}.set-aside`);
  const database = connect(file);
  create(database);
  return { database, file, rebuilt: why };
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
