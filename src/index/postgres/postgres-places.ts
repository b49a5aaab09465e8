import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { PropertyRows } from "../lexical/filter-completion.ts";
import type { PlaceRows } from "../lexical/place-reader.ts";
import { allOf, anyOf, PLACE_WEIGHTS } from "./text-vectors.ts";

/** Names, headings and values of one vault, for somebody who types. */
export function postgresPlaces(database: Postgres, vault: number): PlaceRows {
  const matching = (words: readonly string[]): string | null =>
    allOf(words.map((word) => anyOf([word], ":*")));
  return {
    names: async (words, limit) => {
      const match = matching(words);
      if (match === null) return [];
      const rows = await database.query(
        "SELECT path, facts FROM files WHERE vault = $1 AND tsv @@ $2::tsquery ORDER BY length(path), path LIMIT $3",
        [vault, match, limit],
      );
      return rows.map(({ path, facts }) => ({ path: String(path), facts: String(facts) }));
    },
    chunks: async (words, limit) => {
      const match = matching(words);
      if (match === null) return [];
      const rows = await database.query(
        `SELECT path, start, text FROM chunks WHERE vault = $1 AND tsv @@ $2::tsquery
         ORDER BY ts_rank('${PLACE_WEIGHTS}', tsv, $2::tsquery, 1) DESC, path, start LIMIT $3`,
        [vault, match, limit],
      );
      return rows.map(({ path, start, text }) => ({
        path: String(path),
        start: Number(start),
        text: String(text),
      }));
    },
    values: async (key, begun, limit) => {
      const rows = await database.query(
        `SELECT ${key === null ? "key" : "value"} AS value, count(DISTINCT file) AS files FROM properties
         WHERE vault = $1 AND ($2::text IS NULL OR key = $2) AND starts_with(${key === null ? "key" : "value"}, $3)
         GROUP BY 1 ORDER BY files DESC, 1 LIMIT $4`,
        [vault, key, begun, limit],
      );
      return rows.map(({ value, files }) => ({ value: String(value), files: Number(files) }));
    },
  };
}

/** The keys and values of one vault, for filters. */
export function postgresProperties(database: Postgres, vault: number): PropertyRows {
  return {
    keys: async (begun) => {
      const rows = await database.query(
        "SELECT key, count(DISTINCT file) AS files FROM properties WHERE vault = $1 AND starts_with(key, $2) GROUP BY key ORDER BY files DESC, key",
        [vault, begun],
      );
      return rows.map(({ key, files }) => ({ key: String(key), files: Number(files) }));
    },
    values: async (key, begun, most) => {
      const rows = await database.query(
        `SELECT p.value, p.files, f.facts FROM (
           SELECT value, count(DISTINCT file) AS files, min(file) FILTER (WHERE chunk = 0) AS file FROM properties
           WHERE vault = $1 AND key = $2 AND (starts_with(value, $3) OR strpos(value, ' ' || $3) > 0)
           GROUP BY value ORDER BY files DESC, value LIMIT $4
         ) AS p LEFT JOIN files f ON f.id = p.file ORDER BY p.files DESC, p.value`,
        [vault, key, begun, most],
      );
      return rows.map(({ value, files, facts }) => ({
        value: String(value),
        files: Number(files),
        facts: typeof facts === "string" ? facts : null,
      }));
    },
    paths: async (folded) => {
      const rows = await database.query(
        "SELECT path FROM files WHERE vault = $1 AND strpos(folded, $2) > 0",
        [vault, folded],
      );
      return rows.map((row) => String(row["path"]));
    },
  };
}
