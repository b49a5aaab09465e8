import { closeSync, existsSync, openSync, renameSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { errnoOf, ExpectedError } from "../errors.ts";
import { syncNamesOf } from "./durable-names.ts";
import { makePrivateFile, makePrivateFolder, OtherUsersFolder } from "./private-folder.ts";

/**
 * Milliseconds a statement waits while another connection holds the lock it needs. SQLite lets one connection write at a time, and without
 * a wait the others fail at once with SQLITE_BUSY. Our transactions take milliseconds; the rest is for slow disks and loaded machines.
 */
const BUSY_TIMEOUT = 10_000;

/** Primary result codes of SQLite: the low byte of what it reports. */
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const PROBLEMS: Readonly<Record<number, "busy" | "full" | "damaged">> = {
  /* SQLITE_ERROR */ 1: "damaged",
  /* SQLITE_BUSY */ 5: "busy",
  /* SQLITE_CORRUPT */ 11: "damaged",
  /* SQLITE_FULL */ 13: "full",
  /* SQLITE_NOTADB */ 26: "damaged",
};

/**
 * What SQLite reports when a disk fails it or is full, or another process holds a lock: BUSY, READONLY, IOERR, CORRUPT (so it calls an error of
 * the disk while it reads), FULL, CANTOPEN, PROTOCOL, NOTADB. Others, such as a wrong statement, are mistakes of ours.
 */
const FAILURES: ReadonlySet<number> = new Set([5, 8, 10, 11, 13, 14, 15, 26]);

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
  /** Nothing can make it again, so a new one is there after a power cut: SQLite itself syncs its content, not the names of new folders. */
  readonly isLasting?: boolean;
  /** Read after opening, to notice damage: `SELECT count(*) FROM files`. */
  readonly check?: string;
}

/**
 * Opens a database file, creates it (mode 0600) and its folder (mode 0700) when they are missing, and brings its schema up to date in one
 * transaction.
 * @throws ExpectedError `disk_full` when its disk has no room; `unavailable` when it cannot be opened, is damaged, or was written by a newer
 * release, also for what could be rebuilt: the newer release may be in use on the same state folder. Nothing is changed then.
 */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  const { file, pragmas, check = "" } = options;
  let database: DatabaseSync | null = null;
  try {
    database = connect(file);
    const version = knownVersion(database, options);
    database.exec(pragmas);
    if (version < latestVersion(options)) migrate(database, options);
    if (version === 0 && options.isLasting === true) syncNamesOf(file);
    database.exec(check);
    return database;
  } catch (error) {
    database?.close();
    const canBeRead = error instanceof OtherUsersFolder || isReadOnly(error);
    if (options.canBeReadOnly !== true || !canBeRead) throw unopened(error, options);
  }
  try {
    return openReadOnly(options);
  } catch (error) {
    throw unopened(error, options);
  }
}

function unopened(error: unknown, { file, name, consequence }: DatabaseOptions): ExpectedError {
  if (error instanceof ExpectedError) return error;
  const folder = path.dirname(file);
  const isFull = isDiskFull(error, folder);
  return new ExpectedError(
    isFull ? "disk_full" : "unavailable",
    `${name} in ${folder} cannot be opened, ${consequence}: ${String(error)}. ${isFull ? "Free some space, or give" : "Give"} another folder with --state.`,
    { cause: error },
  );
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

/**
 * Whether an error says that a database can only be read. Not asked in advance with `access`, which goes by the real user and not by the
 * effective one.
 */
export function isReadOnly(error: unknown): boolean {
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
  const open = (): ReturnType<typeof openRebuildable> => ({
    database: openDatabase(options),
    rebuilt: null,
  });
  try {
    try {
      return open();
    } catch (error) {
      if (whyRebuild(causeOf(error)) === null) throw error;
      // A disk that fails for a moment looks like damage.
      return open();
    }
  } catch (error) {
    const rebuilt = whyRebuild(causeOf(error));
    if (rebuilt === null) throw error;
    for (const ending of ["-wal", "-shm"]) rmSync(options.file + ending, { force: true });
    renameSync(options.file, `${options.file}.set-aside`);
    return { database: openDatabase(options), rebuilt };
  }
}

/** Whether there is a database, for those who only look and must not create one. */
export function hasDatabase(file: string): boolean {
  return existsSync(file);
}

/** Opens a database file as it is, for locks and probes. Its folder is created unless it is opened read-only. */
export function connect(
  file: string,
  { timeout = BUSY_TIMEOUT, readOnly = false } = {},
): DatabaseSync {
  if (readOnly || file === IN_MEMORY) return new DatabaseSync(file, { timeout, readOnly });
  makePrivateFolder(path.dirname(file));
  // Before SQLite opens it: the write-ahead log is created with the mode of its database.
  if (existsSync(file)) makePrivateFile(file);
  else closeSync(openSync(file, "a", 0o600));
  return new DatabaseSync(file, { timeout });
}

/** Copies a database that may be in use, as it is at one moment, to a file that does not exist. */
export async function copyDatabase(file: string, to: string): Promise<void> {
  const source = connect(file);
  try {
    await backup(source, to);
  } finally {
    source.close();
  }
  // Without a write-ahead log beside it: one file is all of it.
  const copy = connect(to);
  copy.exec("PRAGMA journal_mode = DELETE");
  copy.close();
}

/** Rewrites a database without what was deleted in it, and empties its write-ahead log. One that is in use otherwise stays as it is. */
export function compactDatabase(file: string): void {
  const database = connect(file);
  try {
    database.exec("PRAGMA secure_delete = ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
  } catch (error) {
    if (sqliteProblem(error) !== "busy") throw error;
  } finally {
    database.close();
  }
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

/**
 * An error of a database that was in use, for its caller: `disk_full` when its disk has no room, else `unavailable`. What is not an error of
 * SQLite is returned as it is.
 * @param name the subject of the message: `The history`
 */
export function explainSqlite(error: unknown, name: string, folder: string): unknown {
  if (sqliteProblem(error) === null || !(error instanceof Error)) return error;
  const isFull = isDiskFull(error, folder);
  return new ExpectedError(
    isFull ? "disk_full" : "unavailable",
    `${name} in ${folder} cannot be written (${error.message}), so nothing was changed. ${isFull ? "Free some space" : "Repair it"}, or give another folder with --state.`,
    { cause: error },
  );
}

/** A refusal for an error of a database whose disk failed, in whatever call; null for any other error. */
export function databaseFailure(error: unknown): ExpectedError | null {
  if (!(error instanceof Error) || !FAILURES.has(resultCode(error) ?? 0)) return null;
  return new ExpectedError(
    sqliteProblem(error) === "full" ? "disk_full" : "unavailable",
    `A database of the state folder cannot be used now (${error.message}); try again. If it stays so, check it with: coffre doctor.`,
    { cause: error },
  );
}

/** Bytes. With less room on its disk, SQLite reports errors of other kinds too, since it cannot make the files it works with. */
const NO_ROOM = 256 * 1024;

/** Whether an error comes from a full disk, or a used-up quota, under this folder. */
export function isDiskFull(error: unknown, folder: string): boolean {
  if (sqliteProblem(error) === "full") return true;
  if (["ENOSPC", "EDQUOT", "disk_full"].includes(errnoOf(error) ?? "")) return true;
  return sqliteProblem(error) === "other" && roomIn(folder) < NO_ROOM;
}

/** Bytes that can still be written; infinite when the system does not tell. */
function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** What kind of SQLite error this is; null when it is not one. `damaged` includes tables that are missing or have other columns. */
export function sqliteProblem(error: unknown): "busy" | "full" | "damaged" | "other" | null {
  const code = resultCode(error);
  return code === null ? null : (PROBLEMS[code] ?? "other");
}

/** The primary result code of a SQLite error; null when it is not one. */
function resultCode(error: unknown): number | null {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : null;
}

class OutdatedSchema extends Error {}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : null;
}

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
