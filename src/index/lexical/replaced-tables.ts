import type { VaultPath } from "../../vault/paths.ts";
import { linkKey } from "../links-in.ts";
import { replacesIn } from "../replaces-line.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import { replacesRow, type ReplacesRows } from "./replaced-lines.ts";

/** Writes which statements the entries of a file replace, within a transaction of its caller. */
export class ReplacesWriter {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  remove(file: number): void {
    this.#statements.get("DELETE FROM replaces WHERE file = ?").run(file);
  }

  /** @param isKnown whether the file has rows that may differ */
  replace(file: number, path: VaultPath, text: string, isKnown: boolean): void {
    if (isKnown) this.remove(file);
    const insert = this.#statements.get(
      "INSERT INTO replaces (file, place, line, target, headings, value, key) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    for (const [place, found] of replacesIn(path, text).entries()) {
      const { line, target, headings, value } = found;
      const key = linkKey(target === "" ? path : target);
      insert.run(file, place, line, target, headings.join("\n"), value, key);
    }
  }
}

const NAMING = `
  SELECT r.file, r.line, r.target, r.headings, r.value, r.key, f.path
  FROM files t JOIN link_names n ON n.file = t.id JOIN replaces r ON r.key = n.key JOIN files f ON f.id = r.file
  WHERE t.path = ? GROUP BY r.file, r.place ORDER BY f.path, r.place`;
const ALL = `
  SELECT r.file, r.line, r.target, r.headings, r.value, r.key, f.path
  FROM replaces r JOIN files f ON f.id = r.file ORDER BY f.path, r.place`;
const NAMED =
  "SELECT f.path, n.alias FROM link_names n JOIN files f ON f.id = n.file WHERE n.key = ? ORDER BY f.path";
const TEXT = `
  SELECT group_concat(c.text, char(10) ORDER BY c.start) AS text
  FROM files f JOIN chunks c ON c.id BETWEEN f.id * ${CHUNKS_PER_FILE} AND (f.id + 1) * ${CHUNKS_PER_FILE} - 1 WHERE f.path = ?`;
const CHUNK_AT = `
  SELECT c.id, coalesce(c.day, f.updated) AS date FROM chunks c JOIN files f ON f.id = c.id / ${CHUNKS_PER_FILE}
  WHERE c.id BETWEEN ?1 * ${CHUNKS_PER_FILE} AND (?1 + 1) * ${CHUNKS_PER_FILE} - 1 AND c.start <= ?2 AND c.end >= ?2`;

/** The tables that {@link ReplacesWriter} wrote. */
export function sqliteReplacesRows(statements: Statements): ReplacesRows {
  return {
    isEmpty: () => statements.get("SELECT 1 FROM replaces LIMIT 1").get() === undefined,
    all: () => statements.get(ALL).all().map(replacesRow),
    naming: (path) => statements.get(NAMING).all(path).map(replacesRow),
    named: (key) =>
      statements
        .get(NAMED)
        .all(key)
        .map((row) => ({ path: String(row["path"]), isAlias: Number(row["alias"]) === 1 })),
    text: (path) => {
      const text = statements.get(TEXT).get(path)?.["text"];
      return typeof text === "string" ? text : null;
    },
    chunkAt: (file, line) => {
      const row = statements.get(CHUNK_AT).get(file, line);
      if (row === undefined) return null;
      return { id: Number(row["id"]), date: typeof row["date"] === "string" ? row["date"] : null };
    },
  };
}
