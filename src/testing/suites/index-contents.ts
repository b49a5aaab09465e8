import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const CHUNK =
  "(SELECT f.path || ':' || c.start FROM chunks c JOIN files f ON f.id = c.id / 1048576 WHERE c.id =";

/** Files, chunks and every indexed word with its place, without the ids, which depend on the order of things. */
export function indexContents(folder: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path.join(folder, "index.sqlite"));
  try {
    database.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.instances USING fts5vocab (main, fts, 'instance')",
    );
    const all = (sql: string): unknown[] => database.prepare(sql).all();
    return {
      corpus: all("SELECT chunks, bytes FROM corpus"),
      files: all("SELECT path, updated, signature FROM files ORDER BY path"),
      chunks: all(
        "SELECT f.path, c.start, c.end, c.headings, c.day, c.hash, c.text FROM chunks c JOIN files f ON f.id = c.id / 1048576 ORDER BY f.path, c.start",
      ),
      words: all(
        `SELECT term, ${CHUNK} doc) AS chunk, col, offset FROM temp.instances ORDER BY term, chunk, col, offset`,
      ),
    };
  } finally {
    database.close();
  }
}
