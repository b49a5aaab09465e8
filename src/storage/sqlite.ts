import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { errnoOf, ExpectedError } from "../errors.ts";

/**
 * Milliseconds a statement waits while another connection holds the lock it needs. SQLite lets one connection write at a time, and without
 * a wait the others fail at once with SQLITE_BUSY. Our transactions take milliseconds; the rest is for slow disks and loaded machines.
 */
const BUSY_TIMEOUT = 10_000;

/** Primary result codes of SQLite: the low byte of what it reports. */
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** The `file` of a database without one. */
export const IN_MEMORY = ":memory:";

export interface DatabaseOptions {
  readonly file: string;
  /** The subject of error messages: `The history`. */
  readonly name: string;
  /** What follows when it cannot be opened, for the error message: `so nothing can be changed safely`. */
  readonly consequence: string;
  /** Run on every opening: `PRAGMA journal_mode = WAL; …`. */
  readonly pragmas: string;
  /**
   * The statements that lead from each schema version to the next; only ever append. The first creates the tables of release 0.1.0 when they
   * are missing, because that release recorded no version: its databases have version 0 and tables.
   */
  readonly migrations: readonly string[];
  /** The version that the first migration leads to, 1 by default. A database with tables of an older version counts as outdated. */
  readonly firstVersion?: number;
  /** In a folder that cannot be written, opens what is there for reading, or an empty database when nothing is there. */
  readonly canBeReadOnly?: boolean;
  /** Read after opening, to notice damage: `SELECT count(*) FROM files`. */
  readonly check?: string;
}

/**
 * Opens a database file, creates it (mode 0600) and its folder (mode 0700) when they are missing, and brings its schema up to date in one
 * transaction.
 * @throws ExpectedError `unavailable` when it cannot be opened, is damaged, or was written by a newer release, also for what could be rebuilt:
 * the newer release may be in use on the same state folder. Nothing is changed then.
 */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  const { file, name, consequence, pragmas, check = "" } = options;
  let database: DatabaseSync | null = null;
  try {
    database = connect(file);
    const version = knownVersion(database, options);
    database.exec(pragmas);
    if (version < latestVersion(options)) migrate(database, options);
    database.exec(check);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof ExpectedError) throw error;
    if (options.canBeReadOnly === true && isReadOnly(error)) return openReadOnly(options);
    throw new ExpectedError(
      "unavailable",
      `${name} in ${path.dirname(file)} cannot be opened, ${consequence}: ${String(error)}. Give another folder with --state.`,
      { cause: error },
    );
  }
}

/** Statements that write fail on it with SQLITE_READONLY. */
function openReadOnly(options: DatabaseOptions): DatabaseSync {
  const url = pathToFileURL(options.file);
  // Without it SQLite needs to create the files of the write-ahead log even to read.
  url.searchParams.set("immutable", "1");
  const isThere = existsSync(options.file);
  const database = isThere
    ? new DatabaseSync(url, { readOnly: true })
    : new DatabaseSync(IN_MEMORY);
  if (knownVersion(database, options) < latestVersion(options)) {
    if (isThere) throw new Error("it must be migrated first, and its folder cannot be written");
    migrate(database, options);
  }
  database.exec("PRAGMA query_only = ON");
  return database;
}

/** Not asked in advance with `access`, which goes by the real user and not by the effective one. */
function isReadOnly(error: unknown): boolean {
  return (
    ["EACCES", "EROFS"].includes(errnoOf(error) ?? "") ||
    [SQLITE_READONLY, SQLITE_CANTOPEN].includes(resultCode(error) ?? 0)
  );
}

/**
 * Opens a database whose content can be rebuilt: a damaged or outdated one is renamed to `….set-aside`, and an empty one takes its place.
 * `rebuilt` says why, or is null.
 */
export function openRebuildable(options: DatabaseOptions): {
  readonly database: DatabaseSync;
  readonly rebuilt: string | null;
} {
  try {
    return { database: openDatabase(options), rebuilt: null };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const rebuilt = whyRebuild(cause);
    if (rebuilt === null) throw error;
    for (const ending of ["-wal", "-shm"]) rmSync(options.file + ending, { force: true });
    renameSync(options.file, `${options.file}.set-aside`);
    return { database: openDatabase(options), rebuilt };
  }
}

/** Opens a database file as it is, for locks and probes. Its folder is created unless it is opened read-only. */
export function connect(
  file: string,
  { timeout = BUSY_TIMEOUT, readOnly = false } = {},
): DatabaseSync {
  if (readOnly || file === IN_MEMORY) return new DatabaseSync(file, { timeout, readOnly });
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const isNew = !existsSync(file);
  const database = new DatabaseSync(file, { timeout });
  // Before the write-ahead log exists: it is created with the mode of its database.
  if (isNew) chmodSync(file, 0o600);
  return database;
}

/** Runs `work` as one transaction: when this returns all of it is committed, when it throws none of it happened. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    // A full disk ends the transaction by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** What kind of SQLite error this is; null when it is not one. `damaged` includes tables that are missing or have other columns. */
export function sqliteProblem(error: unknown): "busy" | "full" | "damaged" | "other" | null {
  switch (resultCode(error)) {
    case null:
      return null;
    case SQLITE_BUSY:
      return "busy";
    case SQLITE_FULL:
      return "full";
    case SQLITE_ERROR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "damaged";
    default:
      return "other";
  }
}

/** The primary result code of a SQLite error; null when it is not one. */
function resultCode(error: unknown): number | null {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : null;
}

class OutdatedSchema extends Error {}

function whyRebuild(cause: unknown): string | null {
  if (cause instanceof OutdatedSchema) return "it was made by another version";
  const isDamaged = cause instanceof Error && sqliteProblem(cause) === "damaged";
  return isDamaged ? `it was damaged (${cause.message})` : null;
}

/** Its schema version; refuses one that this release does not know. */
function knownVersion(database: DatabaseSync, options: DatabaseOptions): number {
  const { user_version } = database.prepare("PRAGMA user_version").get() ?? {};
  const version = Number(user_version);
  const latest = latestVersion(options);
  if (version <= latest) return version;
  throw new ExpectedError(
    "unavailable",
    `${options.name} in ${path.dirname(options.file)} was written by a newer coffre (schema ${version}, this one knows ${latest}). Update coffre; nothing was changed.`,
  );
}

function latestVersion({ firstVersion = 1, migrations }: DatabaseOptions): number {
  return firstVersion + migrations.length - 1;
}

function migrate(database: DatabaseSync, options: DatabaseOptions): void {
  const { firstVersion = 1, migrations } = options;
  transaction(database, () => {
    // Read again: another process may have migrated it meanwhile.
    const version = knownVersion(database, options);
    if (version < firstVersion && firstVersion > 1 && hasTables(database)) {
      throw new OutdatedSchema(`schema ${version} is older than ${firstVersion}`);
    }
    for (const statements of migrations.slice(Math.max(0, version - firstVersion + 1))) {
      database.exec(statements);
    }
    database.exec(`PRAGMA user_version = ${latestVersion(options)}`);
  });
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}
