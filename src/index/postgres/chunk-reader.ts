import type { Postgres, Row } from "../../storage/postgres/postgres.ts";
import {
  candidateOf,
  describeFile,
  hitsOf,
  sectionTextOf,
  type RankedChunk,
} from "../lexical/chunk-rows.ts";
import type { Candidate, CandidateFile } from "../lexical/rank.ts";
import { normalise } from "../lexical/terms.ts";
import type { SectionHit, SectionText } from "../search-index.ts";

/** In the order of the ids. */
const WANTED =
  "FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (id, at) JOIN chunks c ON c.id = wanted.id AND c.vault = $1";
const WITH_FILE = "JOIN files f ON f.id = c.file";
/** What ranking compares, and what a hit shows: so the best are hits without being read again. */
const COLUMNS = `c.id, c.file, c.headings, c.aside, c.words, c.start, c."end", c.day, f.path, f.names, f.tags, f.bytes, f.updated, f.signature, f.frontmatter`;
const CANDIDATES = (withText: boolean): string =>
  `SELECT ${COLUMNS}${withText ? ", c.text" : ""} ${WANTED} ${WITH_FILE} ORDER BY wanted.at`;
const HITS = `SELECT c.id, c.start, c."end", c.headings, c.day, f.path, f.updated, f.signature, f.frontmatter ${WANTED} ${WITH_FILE} ORDER BY wanted.at`;
const TEXTS = `SELECT c.id, c.headings, c.meaning, c.skip, c.text, f.title, f.path ${WANTED} ${WITH_FILE} ORDER BY wanted.at`;

/** The candidates among the chunks whose ids a query gives, in any order. */
export function candidatesAmong(ids: string, withText: boolean): string {
  return `SELECT ${COLUMNS}${withText ? ", c.text" : ""} FROM (${ids}) AS found JOIN chunks c ON c.id = found.id ${WITH_FILE}`;
}

/** A chunk that may answer, with its row. */
export interface CandidateRow {
  readonly id: number;
  readonly candidate: Candidate;
  readonly row: Row;
}

/** Reads chunks by their ids, only as much of each as is needed: most candidates are never shown. */
export class ChunkReader {
  readonly #database: Postgres;
  readonly #vault: number;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
  }

  /** Rows of candidates; those that are gone are left out. */
  async candidates(ids: readonly number[], withText: boolean): Promise<CandidateRow[]> {
    return described(await this.#all(CANDIDATES(withText), ids));
  }

  async hits(chunks: readonly RankedChunk[]): Promise<SectionHit[]> {
    const ids = chunks.map(({ id }) => id);
    return hitsOf(await this.#all(HITS, ids), chunks);
  }

  async texts(ids: readonly number[]): Promise<SectionText[]> {
    return (await this.#all(TEXTS, ids)).map(sectionTextOf);
  }

  async #all(sql: string, ids: readonly number[]): Promise<Row[]> {
    return ids.length === 0 ? [] : this.#database.query(sql, [this.#vault, ids]);
  }
}

/** Those of one file share what is said of it: the ranking compares it once. */
export function described(rows: readonly Row[]): CandidateRow[] {
  const files = new Map<number, CandidateFile>();
  return rows.map((row) => {
    const id = Number(row["file"]);
    const file = files.get(id) ?? describeFile(withFolded(row));
    files.set(id, file);
    return { id: Number(row["id"]), candidate: candidateOf(withHeading(row), file), row };
  });
}

function withHeading(row: Row): Row {
  return { ...row, heading: normalise(String(row["headings"])) };
}

function withFolded(row: Row): Row {
  return { ...row, folded: normalise(String(row["path"]).replace(/\.md$/iu, "")) };
}
