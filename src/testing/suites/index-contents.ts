import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const CHUNK =
  "(SELECT f.path || ':' || c.start FROM chunks c JOIN files f ON f.id = c.id / 1048576 WHERE c.id =";

/** How many chunks have each word, as the index keeps it, and as the chunks that there are say. */
export function wordCounts(folder: string): { readonly kept: unknown; readonly counted: unknown } {
  const database = new DatabaseSync(path.join(folder, "index.sqlite"));
  try {
    database.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.instances USING fts5vocab (main, fts, 'instance')",
    );
    const all = (sql: string): unknown => database.prepare(sql).all();
    return {
      kept: all("SELECT word, chunks FROM words ORDER BY word"),
      counted: all(
        "SELECT term AS word, count(DISTINCT doc) AS chunks FROM temp.instances GROUP BY term ORDER BY term",
      ),
    };
  } finally {
    database.close();
  }
}

/** Files, chunks and every indexed word with its place, without the ids, which depend on the order of things. */
export function indexContents(folder: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path.join(folder, "index.sqlite"));
  try {
    database.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.instances USING fts5vocab (main, fts, 'instance')",
    );
    const all = (sql: string): unknown[] => database.prepare(sql).all();
    return {
      corpus: all("SELECT files, chunks, bytes FROM corpus"),
      files: all("SELECT path, updated, signature, names, tags, title FROM files ORDER BY path"),
      chunks: all(
        "SELECT f.path, c.start, c.end, c.headings, c.day, c.hash, c.meaning, c.skip, c.aside, c.words, c.text FROM chunks c JOIN files f ON f.id = c.id / 1048576 ORDER BY f.path, c.start",
      ),
      counts: all("SELECT word, fr, en, chunks FROM words ORDER BY word"),
      properties: all(
        `SELECT p.key, p.value, f.path, ${CHUNK} p.chunk) AS chunk FROM properties p JOIN files f ON f.id = p.file ORDER BY 1, 2, 3, 4`,
      ),
      links: all(
        "SELECT f.path, l.place, l.line, l.kind, l.embed, l.target, l.fragment, l.key FROM links l JOIN files f ON f.id = l.file ORDER BY 1, 2",
      ),
      names: all(
        "SELECT n.key, n.alias, f.path FROM link_names n JOIN files f ON f.id = n.file ORDER BY 1, 2, 3",
      ),
      replaces: all(
        "SELECT f.path, r.place, r.line, r.target, r.headings, r.value, r.key FROM replaces r JOIN files f ON f.id = r.file ORDER BY 1, 2",
      ),
      words: all(
        `SELECT term, ${CHUNK} doc) AS chunk, col, offset FROM temp.instances ORDER BY term, chunk, col, offset`,
      ),
    };
  } finally {
    database.close();
  }
}
