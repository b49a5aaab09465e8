import { CHUNKS_PER_FILE, FOLDED, type Statements } from "./database.ts";
import type { Filter, Query } from "../query.ts";

/** Whether any file, or any task, has such a key. */
export function hasKey(key: string, statements: Statements): boolean {
  return statements.get("SELECT 1 FROM properties WHERE key = ? LIMIT 1").get(key) !== undefined;
}

/** A condition on the rows of `fts`, to be appended to a `WHERE`: every filter must hold, and nothing that is excluded may stand there. */
export function conditionsOn({ filters, excluded }: Pick<Query, "filters" | "excluded">): string {
  const held = filters.map((filter) => {
    return ` AND ${filter.isExcluded ? "NOT " : ""}${conditionOf(filter)}`;
  });
  return `${held.join("")}${excluded.length === 0 ? "" : ` AND fts.rowid NOT IN (${having("rowid", excluded)})`}`;
}

/** The same for what stands for a whole file, as its beginning does in a list: nothing excluded may stand anywhere in the file. */
export function exclusionOfFiles(excluded: Query["excluded"]): string {
  if (excluded.length === 0) return "true";
  return `${FILE} NOT IN (${having(`rowid / ${CHUNKS_PER_FILE}`, excluded)})`;
}

/** What people do not read, which `aside` has, excludes nothing. */
function having(column: string, excluded: Query["excluded"]): string {
  const runs = excluded.map((words) => `"${words.join(" ")}"`).join(" OR ");
  return `SELECT ${column} FROM fts WHERE fts MATCH ${quoted(`{path name heading body} : (${runs})`)}`;
}

const FILE = `fts.rowid / ${CHUNKS_PER_FILE}`;

function conditionOf({ key, value }: Filter): string {
  if (key === "path") return `${FILE} IN (SELECT id FROM files WHERE ${pathCondition(value)})`;
  // A tag covers those below it (`work` covers `work/clients`); other values are compared by whole words.
  const matches =
    key === "tag"
      ? `(value = ${quoted(value)} OR value LIKE ${like(`${value}/%`)} ESCAPE '\\')`
      : `(' ' || value || ' ') LIKE ${like(`% ${value} %`)} ESCAPE '\\'`;
  const carrying = `FROM properties WHERE key = ${quoted(key)} AND ${matches}`;
  return `(${FILE} IN (SELECT file ${carrying} AND chunk = 0) OR fts.rowid IN (SELECT chunk ${carrying} AND chunk > 0))`;
}

/**
 * A condition on the rows of `files`: the path has these letters, in any case, with accents or without.
 * @param value folded
 */
export function pathCondition(value: string): string {
  // `LIKE` knows no accents, and no capitals beyond ASCII; it is much faster where there are none.
  const isFolded = `octet_length(path) > length(path) AND instr(${FOLDED}(path), ${quoted(value)}) > 0`;
  return `(path LIKE ${like(`%${value}%`)} ESCAPE '\\' OR (${isFolded}))`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll("\0", "")}'`;
}

/** @param pattern whose first and last `%` stand for anything */
function like(pattern: string): string {
  const inner = pattern.replace(/^%|%$/gu, "");
  const start = pattern.startsWith("%") ? "%" : "";
  const end = pattern.endsWith("%") ? "%" : "";
  return quoted(`${start}${escaped(inner)}${end}`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/gu, (sign) => `\\${sign}`);
}
