import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { compactDatabase, connect } from "../storage/sqlite.ts";
import { holdsAny, standsIn, type Needles } from "../vault/history/erase-history.ts";
import { bytesIn, fileHolds, filesUnder, readOr, type RawFile } from "./raw-files.ts";

/** Databases that hold no text: locks. */
const LOCKS = new Set(["owner.sqlite", "owner-alive.sqlite", "write-lock.sqlite"]);
const DATABASE = /\.sqlite(?:-wal|-shm|-journal)?$/u;
/** The person's own settings, and what the service needs to be reached: never removed here. */
const KEPT = new Set(["coffre.json", "token", "owner.json"]);

export interface FoundInState {
  readonly files: readonly RawFile[];
  /** Where nothing could be looked for. */
  readonly unread: readonly string[];
}

/**
 * Files of a state folder in whose bytes one of these texts stands. The names of tables and columns are no text of a person: a database
 * counts only when it holds more of the text than its schema does.
 */
export function findInState(state: string, needles: Needles): FoundInState {
  const all = filesUnder(state);
  const unread = [...all.unread];
  const files = all.files.filter(({ place, name }) => {
    const holds = (): boolean =>
      fileHolds(place, needles) && (!isDatabase(name) || holdsMore(place.toString(), needles));
    return readOr(holds, name, unread) === true;
  });
  return { files, unread };
}

/** Whether a database holds one of these texts outside its schema. A row of the schema is shorter than a page, so no text in it is split. */
function holdsMore(file: string, needles: Needles): boolean {
  const schema = schemaOf(file);
  const { texts, but = [] } = needles;
  if (!texts.some((text) => schema.includes(text))) return true;
  const bytes = bytesIn(file);
  return texts.some((text) => occurrences(bytes, text, but) > occurrences(schema, text, but));
}

function schemaOf(file: string): Buffer {
  const database = connect(file, { readOnly: true });
  try {
    const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema").all();
    return Buffer.from(rows.map((row) => Object.values(row).join("\n")).join("\n"));
  } finally {
    database.close();
  }
}

function occurrences(bytes: Buffer, text: Buffer, but: readonly Buffer[]): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    if (standsIn(bytes.subarray(at), text, { but, until: 1 })) count += 1;
  return count;
}

/**
 * Removes these texts from what is no database: lines of the log, and whole files that were rescued or set aside.
 * @param isDry only counts
 */
export function eraseFiles(
  state: string,
  needles: Needles,
  isDry: boolean,
): { lines: number; files: string[]; unread: readonly string[] } {
  let lines = 0;
  const files: string[] = [];
  const isIn = holdsAny(needles);
  const found = findInState(state, needles);
  for (const { place, name } of found.files) {
    if (DATABASE.test(name) || KEPT.has(name)) continue;
    if (path.dirname(name) === "log") {
      const all = readFileSync(place, "utf8").split("\n");
      const rest = all.filter((line) => !isIn(Buffer.from(line)));
      lines += all.length - rest.length;
      // In place: the service appends to the same file.
      if (!isDry) writeFileSync(place, rest.join("\n"));
      continue;
    }
    files.push(name);
    if (!isDry) rmSync(place, { force: true });
  }
  return { lines, files, unread: found.unread };
}

/** Deletes the vectors of sections that the index no longer has, by the file of each model. Returns how many. */
export function eraseVectors(state: string): number {
  let count = 0;
  const index = path.join(state, "index", "index.sqlite");
  for (const file of databasesIn(state)) {
    if (path.basename(path.dirname(file)) !== "vectors" || path.basename(file) === "qmd.sqlite")
      continue;
    const database = connect(file);
    try {
      database.exec("PRAGMA secure_delete = ON");
      database.prepare("ATTACH ? AS present").run(index);
      const { changes } = database
        .prepare("DELETE FROM vectors WHERE meaning NOT IN (SELECT meaning FROM present.chunks)")
        .run();
      count += Number(changes);
    } finally {
      database.close();
    }
  }
  return count;
}

/** Rewrites every database without what was deleted in it, and empties its log. */
export function compactAll(state: string): void {
  for (const file of databasesIn(state)) compactDatabase(file);
}

/** Those that a state folder keeps, but for locks. */
export function databasesIn(state: string): string[] {
  return filesUnder(state)
    .files.filter(({ name }) => isDatabase(name))
    .map(({ place }) => place.toString());
}

function isDatabase(file: string): boolean {
  return file.endsWith(".sqlite") && !LOCKS.has(path.basename(file));
}
