import { withoutJobLines } from "./chunk-text.ts";
import type { Statements } from "./lexical/database.ts";
import { parseQuery } from "./lexical/query.ts";
import type { SearchRequest } from "./search-index.ts";
import type { Found, Searcher } from "./lexical/searcher.ts";

/** A section, by its number and by what its vector is kept under: sections that say the same share it. */
export interface SectionKey {
  readonly id: number;
  readonly meaning: string;
}

/** What a model reads of a section. */
export interface SectionText extends SectionKey {
  /** The headings above it, outermost first, as one line. */
  readonly title: string;
  readonly text: string;
}

/** Which sections a search may answer with. */
export type Bounds = Pick<SearchRequest, "scope" | "from" | "to">;

/** The sections that {@link file://./sqlite-index.ts} keeps, as an engine that finds by meaning needs them. */
export class Sections {
  readonly #statements: Statements;
  readonly #searcher: Searcher;

  constructor(statements: Statements, searcher: Searcher) {
    this.#statements = statements;
    this.#searcher = searcher;
  }

  /** All that a search may answer with. */
  within(bounds: Bounds): SectionKey[] {
    // The filter speaks of rows of `fts`: a chunk has the number of its row there.
    const { sql } = this.#searcher.filterOf(bounds);
    const rows = this.#statements
      .get(`SELECT fts.id, fts.meaning FROM chunks AS fts WHERE true ${sql}`)
      .all();
    return rows.map((row) => ({ id: Number(row["id"]), meaning: String(row["meaning"]) }));
  }

  /** The texts of sections, in the order of the numbers; those that are gone are left out. */
  texts(ids: readonly number[]): SectionText[] {
    const rows = this.#statements
      .get(
        "SELECT c.id, c.start, c.headings, c.meaning, c.text FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.id = wanted.value",
      )
      .all(JSON.stringify(ids));
    return rows.map((row) => {
      const text = String(row["text"]);
      return {
        id: Number(row["id"]),
        meaning: String(row["meaning"]),
        title: String(row["headings"]).replaceAll("\n", " > "),
        text: Number(row["start"]) === 1 ? withoutJobLines(text) : text,
      };
    });
  }

  /**
   * Sections as results of a query that they may share no word with: then their score is 0. What the query excludes, or what lacks a
   * phrase it insists on, is left out.
   */
  found(ids: readonly number[], query: string): Found[] {
    return this.#searcher.describe(ids, parseQuery(query));
  }
}
