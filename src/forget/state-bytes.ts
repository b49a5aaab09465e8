import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { compactDatabase, connect } from "../storage/sqlite.ts";

/** Read at a time; what a text may be split over is read twice. */
const CHUNK = 4 * 1024 * 1024;
/** Databases that hold no text: locks. */
const LOCKS = new Set(["owner.sqlite", "owner-alive.sqlite", "write-lock.sqlite"]);
const DATABASE = /\.sqlite(?:-wal|-shm|-journal)?$/u;
/** The person's own settings, and what the service needs to be reached: never removed here. */
const KEPT = new Set(["coffre.json", "token", "owner.json"]);

/** Whether a file holds one of these texts, in bounded memory. */
export function fileHolds(file: string, texts: readonly Buffer[]): boolean {
  const longest = Math.max(...texts.map((text) => text.length));
  const fd = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(CHUNK + longest);
    let kept = 0;
    for (;;) {
      const read = readSync(fd, chunk, kept, CHUNK, null);
      if (read === 0) return false;
      const present = chunk.subarray(0, kept + read);
      if (texts.some((text) => present.includes(text))) return true;
      const tail = present.subarray(Math.max(0, present.length - longest + 1));
      tail.copy(chunk, 0);
      kept = tail.length;
    }
  } finally {
    closeSync(fd);
  }
}

/** Every file under a folder. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * Files of a state folder, from it, in whose bytes one of these texts stands. The names of tables and columns are no text of a person: a
 * database counts only when it holds more of the text than its schema does.
 */
export function findInState(state: string, texts: readonly Buffer[]): string[] {
  return filesUnder(state)
    .filter((file) => fileHolds(file, texts) && (!isDatabase(file) || holdsMore(file, texts)))
    .map((file) => path.relative(state, file));
}

/** Whether a database holds one of these texts outside its schema. A row of the schema is shorter than a page, so no text in it is split. */
function holdsMore(file: string, texts: readonly Buffer[]): boolean {
  const schema = schemaOf(file);
  if (!texts.some((text) => schema.includes(text))) return true;
  const bytes = readFileSync(file);
  return texts.some((text) => occurrences(bytes, text) > occurrences(schema, text));
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

function occurrences(bytes: Buffer, text: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) count += 1;
  return count;
}

/**
 * Removes these texts from what is no database: lines of the log, and whole files that were rescued or set aside.
 * @param isDry only counts
 */
export function eraseFiles(
  state: string,
  texts: readonly Buffer[],
  isDry: boolean,
): { lines: number; files: string[] } {
  let lines = 0;
  const files: string[] = [];
  for (const name of findInState(state, texts)) {
    const file = path.join(state, name);
    if (DATABASE.test(name) || KEPT.has(name)) continue;
    if (path.dirname(name) === "log") {
      const all = readFileSync(file, "utf8").split("\n");
      const rest = all.filter((line) => !texts.some((text) => Buffer.from(line).includes(text)));
      lines += all.length - rest.length;
      // In place: the service appends to the same file.
      if (!isDry) writeFileSync(file, rest.join("\n"));
      continue;
    }
    files.push(name);
    if (!isDry) rmSync(file, { force: true });
  }
  return { lines, files };
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

function databasesIn(state: string): string[] {
  return filesUnder(state).filter((file) => isDatabase(file));
}

function isDatabase(file: string): boolean {
  return file.endsWith(".sqlite") && !LOCKS.has(path.basename(file));
}
