import { fold } from "../../text/words.ts";
import { PLACE_COLUMN_WEIGHTS } from "../ranking-weights.ts";
import type { NamedPlace, Places, PropertyValue } from "../search-index.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import { normalise } from "./terms.ts";

/** Chunks that are looked through for headings. */
const CANDIDATES = 300;

/** What an engine finds by the beginnings of words. */
export interface PlaceRows {
  /** Files of whose names each word begins one, the shortest path first; with the facts that the writer keeps. */
  names(
    words: readonly string[],
    limit: number,
  ): Promise<{ readonly path: string; readonly facts: string }[]>;
  /** Chunks of whose headings and texts each word begins one, those with it in a heading first. */
  chunks(
    words: readonly string[],
    limit: number,
  ): Promise<{ readonly path: string; readonly start: number; readonly text: string }[]>;
  /** Keys, or values of a key, that begin so, the most used first. */
  values(key: string | null, begun: string, limit: number): Promise<PropertyValue[]>;
}

/** Finds files by what they are called and sections by their headings, as somebody types: the last word may be begun only. */
export class PlaceReader implements Places {
  readonly #rows: PlaceRows;

  constructor(rows: PlaceRows) {
    this.#rows = rows;
  }

  async find(text: string, limit: number): Promise<NamedPlace[]> {
    const words = normalise(text)
      .split(/\s+/u)
      .filter((word) => word !== "");
    if (words.length === 0) return [];
    return [...(await this.#names(words, limit)), ...(await this.#headings(words, limit))];
  }

  async values(key: string | null, begun: string, limit: number): Promise<PropertyValue[]> {
    return this.#rows.values(key === null ? null : fold(key), fold(begun), limit);
  }

  async #names(words: readonly string[], limit: number): Promise<NamedPlace[]> {
    const rows = await this.#rows.names(words, limit);
    return rows.flatMap((row): NamedPlace[] => {
      // As the writer keeps them: names, tags, properties.
      const [names]: [string[]] = JSON.parse(row.facts);
      const called = names.find((name) => hasWords(name, words));
      if (called === undefined) return [];
      return [{ path: row.path, kind: "name", text: called, line: 1 }];
    });
  }

  /** Sections that are short share a chunk: the headings are those that stand in its text. */
  async #headings(words: readonly string[], limit: number): Promise<NamedPlace[]> {
    const rows = await this.#rows.chunks(words, CANDIDATES);
    const found = rows.flatMap((row): NamedPlace[] =>
      row.text.split("\n").flatMap((line, index) => {
        const [, text = ""] = /^#{1,6}[ \t]+(\S.*)$/u.exec(line) ?? [];
        if (text === "" || !hasWords(text, words)) return [];
        const at = row.start + index;
        return [{ path: row.path, kind: "heading" as const, text, line: at }];
      }),
    );
    return found.toSorted((a, b) => a.text.length - b.text.length).slice(0, limit);
  }
}

function hasWords(text: string, words: readonly string[]): boolean {
  const own = normalise(text).split(/\s+/u);
  return words.every((word) => own.some((each) => each.startsWith(word)));
}

/** Places in the tables of SQLite. */
export function sqlitePlaces(statements: Statements): PlaceRows {
  const matching = (words: readonly string[]): string =>
    words.map((word) => `"${word.replaceAll('"', "")}"*`).join(" ");
  return {
    names: async (words, limit) =>
      statements
        .get(
          "SELECT f.path, f.facts FROM names n JOIN files f ON f.id = n.rowid WHERE n.names MATCH ? ORDER BY length(f.path), f.path LIMIT ?",
        )
        .all(matching(words), limit)
        .map(({ path, facts }) => ({ path: String(path), facts: String(facts) })),
    chunks: async (words, limit) =>
      statements
        .get(
          `SELECT f.path, c.start, c.text FROM fts JOIN chunks c ON c.id = fts.rowid JOIN files f ON f.id = c.id / ${CHUNKS_PER_FILE}
           WHERE fts MATCH ? ORDER BY bm25(fts, ${Object.values(PLACE_COLUMN_WEIGHTS).join(", ")}), f.path, c.start LIMIT ?`,
        )
        .all(`{heading body} : (${matching(words)})`, limit)
        .map((row) => ({
          path: String(row["path"]),
          start: Number(row["start"]),
          text: String(row["text"]),
        })),
    values: async (key, begun, limit) => {
      const like = `${begun.replaceAll(/[\\%_]/gu, (sign) => `\\${sign}`)}%`;
      const rows =
        key === null
          ? statements
              .get(
                "SELECT key AS value, COUNT(DISTINCT file) AS files FROM properties WHERE key LIKE ? ESCAPE '\\' GROUP BY key ORDER BY files DESC, value LIMIT ?",
              )
              .all(like, limit)
          : statements
              .get(
                "SELECT value, COUNT(DISTINCT file) AS files FROM properties WHERE key = ? AND value LIKE ? ESCAPE '\\' GROUP BY value ORDER BY files DESC, value LIMIT ?",
              )
              .all(key, like, limit);
      return rows.map(({ value, files }) => ({ value: String(value), files: Number(files) }));
    },
  };
}
