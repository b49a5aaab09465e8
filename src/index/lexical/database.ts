import path from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import { IN_MEMORY, openDatabase, openRebuildable } from "../../storage/sqlite.ts";
import { fold } from "../../text/words.ts";

/** Raised when the tables or the way texts are cut or folded change: an older database is rebuilt. */
const SCHEMA_VERSION = 9;

/** A chunk's row id holds its file's id: a scope is then a test on the id alone. */
export const CHUNKS_PER_FILE = 2 ** 20;

export const WORDS_TABLE = (name: string): string =>
  `CREATE TABLE ${name} (word TEXT PRIMARY KEY, fr TEXT NOT NULL, en TEXT NOT NULL, chunks INTEGER NOT NULL) STRICT, WITHOUT ROWID`;
export const WORDS_INDEXES = [
  "CREATE INDEX words_fr ON words (fr)",
  "CREATE INDEX words_en ON words (en)",
];

/*
 * `files.names` holds what the file is called, one name a line, `tags` its tags and `folded` its path, normalised as `chunks.words` and
 * `heading` are, which the ranking reads. `corpus.counted` is 0 while a load has not counted the words; `corpus.paths` grows whenever a file comes or goes. `chunks.aside` holds what people do not read there: values of the frontmatter, targets of links. `properties.chunk` is 0 for a key of the whole file.
 */
const SCHEMA = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, updated TEXT, signature TEXT NOT NULL, next INTEGER NOT NULL,
    folded TEXT NOT NULL, names TEXT NOT NULL, tags TEXT NOT NULL, title TEXT, facts TEXT NOT NULL, bytes INTEGER NOT NULL, frontmatter INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, start INTEGER NOT NULL, end INTEGER NOT NULL, headings TEXT NOT NULL,
    day TEXT, hash TEXT NOT NULL, meaning TEXT NOT NULL, skip INTEGER NOT NULL, heading TEXT NOT NULL, aside TEXT NOT NULL, words TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE fts USING fts5 (
    path, name, heading, aside, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
  );
  CREATE VIRTUAL TABLE names USING fts5 (
    name, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
  );
  CREATE TABLE corpus (files INTEGER NOT NULL, chunks INTEGER NOT NULL, bytes INTEGER NOT NULL, counted INTEGER NOT NULL, paths INTEGER NOT NULL) STRICT;
  INSERT INTO corpus VALUES (0, 0, 0, 1, 0);
  ${WORDS_TABLE("words")};
  ${WORDS_INDEXES.join("; ")};
  CREATE TABLE properties (
    key TEXT NOT NULL, value TEXT NOT NULL, file INTEGER NOT NULL, chunk INTEGER NOT NULL,
    PRIMARY KEY (key, value, file, chunk)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX properties_of ON properties (file, chunk);
  CREATE TABLE links (
    file INTEGER NOT NULL, place INTEGER NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, embed INTEGER NOT NULL,
    target TEXT NOT NULL, fragment TEXT, key TEXT NOT NULL, PRIMARY KEY (file, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_to ON links (key);
  CREATE TABLE link_names (key TEXT NOT NULL, alias INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, alias, file)) STRICT, WITHOUT ROWID;
  CREATE INDEX link_names_of ON link_names (file);
  CREATE TABLE replaces (
    file INTEGER NOT NULL, place INTEGER NOT NULL, line INTEGER NOT NULL, target TEXT NOT NULL, headings TEXT NOT NULL, value TEXT,
    key TEXT NOT NULL, PRIMARY KEY (file, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX replaces_by ON replaces (key);
`;

/**
 * Opens the index in a folder. Null: in memory.
 * @param canRebuild an older or damaged one is set aside and an empty one takes its place; else it is refused
 */
export function openIndexDatabase(
  folder: string | null,
  canRebuild = true,
): ReturnType<typeof openRebuildable> {
  const options = {
    file: folder === null ? IN_MEMORY : path.join(folder, "index.sqlite"),
    name: "The search index",
    consequence: "so nothing can be found",
    // What a power cut loses is restored by comparing with the files. `SqliteIndex` runs the checkpoints, in quiet moments. 24 MB of cache.
    pragmas:
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -24576; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0;",
    migrations: [SCHEMA],
    firstVersion: SCHEMA_VERSION,
    // Merging when a change is written stalls for up to seconds; small steps in quiet moments do not.
    check:
      "SELECT count(*) FROM files; SELECT rowid FROM fts LIMIT 1; INSERT INTO fts (fts, rank) VALUES ('automerge', 0), ('crisismerge', 1000);",
  };
  return canRebuild ? openRebuildable(options) : { database: openDatabase(options), rebuilt: null };
}

const MOST_PREPARED = 500;
/** `fold` as a function of SQL. */
export const FOLDED = "folded";

/** Statements prepared once and used many times. */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.function(FOLDED, { deterministic: true }, (text) => fold(String(text)));
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  get(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      // Filters and dates are part of a statement: there is no end of different ones.
      if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear();
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
