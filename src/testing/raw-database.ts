import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Runs statements on a database file as another release of the program, or something else, would. */
export function runSql(file: string, statements: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    database.exec(statements);
  } finally {
    database.close();
  }
}

/** What a query finds in a database file. */
export function rowsOf(file: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

export function schemaVersionOf(file: string): unknown {
  return rowsOf(file, "PRAGMA user_version")[0]?.["user_version"];
}
