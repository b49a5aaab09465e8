import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { describe, expect, it, onTestFinished } from "vitest";

import { refusalOf } from "../testing/expected-error.ts";
import { rowsOf, runSql, schemaVersionOf } from "../testing/raw-database.ts";
import { temporaryFolder } from "../testing/temporary-vault.ts";
import {
  connect,
  databaseFailure,
  openDatabase,
  openRebuildable,
  sqliteProblem,
  transaction,
  type DatabaseOptions,
} from "./sqlite.ts";

const FIRST = "CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL) STRICT;";
const SECOND = "ALTER TABLE notes ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody';";
const THIRD = "CREATE INDEX notes_author ON notes (author);";

function optionsFor(file: string, migrations: readonly string[] = [FIRST]): DatabaseOptions {
  return {
    file,
    name: "The notebook",
    consequence: "so nothing can be noted",
    pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
    migrations,
    check: "SELECT count(*) FROM notes",
  };
}

function newFile(): string {
  return path.join(temporaryFolder(), "state", "notebook.sqlite");
}

function opened(options: DatabaseOptions): DatabaseSync {
  const database = openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

const versionOf = (database: DatabaseSync): unknown =>
  database.prepare("PRAGMA user_version").get()?.["user_version"];
const notesIn = (database: DatabaseSync): unknown[] =>
  database
    .prepare("SELECT * FROM notes")
    .all()
    .map((row) => ({ ...row }));

describe("openDatabase", () => {
  it("creates folder and file for their owner alone, with the latest schema", () => {
    const file = newFile();
    const database = opened(optionsFor(file, [FIRST, SECOND, THIRD]));
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(versionOf(database)).toBe(3);
    database.exec("INSERT INTO notes VALUES ('one', 'me')");
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
  });

  it.each([0, 1, 2])("migrates a database of schema %i in place and keeps its rows", (version) => {
    const file = newFile();
    // Release 0.1.0 recorded no version: 0, with tables.
    const made = [FIRST, SECOND, THIRD].slice(0, Math.max(1, version)).join("");
    runSql(file, `${made} INSERT INTO notes (text) VALUES ('kept');`);
    runSql(file, `PRAGMA user_version = ${version}`);
    const database = opened(optionsFor(file, [FIRST, SECOND, THIRD]));
    expect(notesIn(database)).toEqual([{ text: "kept", author: "nobody" }]);
    expect(versionOf(database)).toBe(3);
  });

  it("leaves everything as it was when a migration fails", async () => {
    const file = newFile();
    runSql(file, `${FIRST} INSERT INTO notes VALUES ('kept')`);
    const broken = optionsFor(file, [FIRST, SECOND, "CREATE TABLE notes (x)"]);
    expect((await refusalOf(() => openDatabase(broken)))?.code).toBe("unavailable");
    expect(rowsOf(file, "SELECT * FROM notes")).toEqual([{ text: "kept" }]);
    expect(schemaVersionOf(file)).toBe(0);
  });

  it("refuses a database of a newer release, and does not change it", async () => {
    const file = newFile();
    runSql(file, `${FIRST} PRAGMA user_version = 5`);
    const before = readFileSync(file);
    for (const open of [openDatabase, openRebuildable]) {
      const refusal = await refusalOf(() => open(optionsFor(file, [FIRST, SECOND, THIRD])));
      expect(refusal?.code).toBe("unavailable");
      expect(refusal?.message).toBe(
        `The notebook in ${path.dirname(file)} was written by a newer coffre (schema 5, this one knows 3). Update coffre; nothing was changed.`,
      );
    }
    expect(readFileSync(file)).toEqual(before);
  });

  it("refuses a damaged database, and does not replace it", async () => {
    const file = newFile();
    mkdirSync(path.dirname(file));
    writeFileSync(file, "no database".repeat(500));
    const refusal = await refusalOf(() => openDatabase(optionsFor(file)));
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toContain("cannot be opened, so nothing can be noted");
    expect(readFileSync(file, "utf8")).toBe("no database".repeat(500));
  });

  it("says what to do when the folder cannot be created", async () => {
    const file = path.join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const refusal = await refusalOf(() => openDatabase(optionsFor(path.join(file, "x.sqlite"))));
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toContain("--state");
  });
});

describe("openRebuildable", () => {
  it.each([
    ["garbage", (file: string) => writeFileSync(file, "no database".repeat(500))],
    ["without its table", (file: string) => runSql(file, "DROP TABLE notes")],
  ])("sets a damaged database aside and starts with an empty one: %s", (_, damage) => {
    const file = newFile();
    openDatabase(optionsFor(file)).close();
    damage(file);
    const { database, rebuilt } = openRebuildable(optionsFor(file));
    onTestFinished(() => database.close());
    expect(rebuilt).toContain("damaged");
    expect(notesIn(database)).toEqual([]);
    expect(existsSync(`${file}.set-aside`)).toBe(true);
  });

  it.each([0, 1, 2])("rebuilds a database of schema %i when only 3 is usable", (version) => {
    const file = newFile();
    runSql(file, `${FIRST} INSERT INTO notes VALUES ('old'); PRAGMA user_version = ${version}`);
    const { database, rebuilt } = openRebuildable({ ...optionsFor(file), firstVersion: 3 });
    onTestFinished(() => database.close());
    expect(rebuilt).toBe("it was made by another version");
    expect(notesIn(database)).toEqual([]);
    expect(versionOf(database)).toBe(3);
  });

  it("replaces nothing that cannot be opened for another reason than damage", async () => {
    const file = newFile();
    mkdirSync(file, { recursive: true });
    const refusal = await refusalOf(() => openRebuildable(optionsFor(file)));
    expect(refusal?.code).toBe("unavailable");
    expect(existsSync(file)).toBe(true);
  });
});

describe("transaction", () => {
  it("commits all of it, and returns what the work returns", () => {
    const database = opened(optionsFor(newFile()));
    const value = transaction(database, () => {
      database.exec("INSERT INTO notes VALUES ('one'); INSERT INTO notes VALUES ('two');");
      return 2;
    });
    expect(value).toBe(2);
    expect(notesIn(database)).toHaveLength(2);
  });

  it("takes everything back when the work throws", () => {
    const database = opened(optionsFor(newFile()));
    const work = (): void => {
      database.exec("INSERT INTO notes VALUES ('one')");
      throw new Error("no more");
    };
    expect(() => transaction(database, work)).toThrow("no more");
    expect(database.isTransaction).toBe(false);
    expect(notesIn(database)).toEqual([]);
  });
});

it("recognises SQLite's errors", () => {
  const file = newFile();
  openDatabase(optionsFor(file)).close();
  const database = connect(file, { timeout: 0 });
  onTestFinished(() => database.close());
  const problemOf = (sql: string): unknown => {
    try {
      database.exec(sql);
      return "none";
    } catch (error) {
      return sqliteProblem(error);
    }
  };
  const other = connect(file);
  other.exec("BEGIN IMMEDIATE");
  expect(problemOf("BEGIN IMMEDIATE")).toBe("busy");
  other.close();
  expect(problemOf("SELECT * FROM nowhere")).toBe("damaged");
  expect(problemOf("INSERT INTO notes VALUES (NULL)")).toBe("other");
  database.exec("PRAGMA max_page_count = 3");
  expect(problemOf("INSERT INTO notes VALUES (hex(randomblob(50000)))")).toBe("full");
  expect(sqliteProblem(new Error("no"))).toBeNull();
});

describe("an error of a database in use", () => {
  const errorOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  it("is a refusal when its disk fails", () => {
    const file = newFile();
    const database = opened(optionsFor(file));
    const insert = database.prepare("INSERT INTO notes VALUES (?)");
    for (let count = 0; count < 500; count += 1) insert.run("x".repeat(500));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = 0;");
    // What is read from the disk from now on is no page of a database.
    const damaged = readFileSync(file).fill(255, 8192);
    writeFileSync(file, damaged);
    const other = connect(file);
    onTestFinished(() => other.close());
    const error = errorOf(() => other.prepare("SELECT count(text) FROM notes").get());
    expect(databaseFailure(error)?.code).toBe("unavailable");
  });

  it("is a bug when the statement is wrong", () => {
    const database = opened(optionsFor(newFile()));
    const error = errorOf(() => database.prepare("SELECT nothing FROM nowhere"));
    expect(sqliteProblem(error)).toBe("damaged");
    expect(databaseFailure(error)).toBeNull();
    expect(databaseFailure(new Error("other"))).toBeNull();
  });
});
