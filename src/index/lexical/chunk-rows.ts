import type { SearchHit, SectionHit, SectionText } from "../search-index.ts";
import { CHUNKS_PER_FILE, type Statements } from "./database.ts";
import type { Candidate, CandidateFile, Ranked } from "./rank.ts";

type Row = Readonly<Record<string, unknown>>;

/** A chunk with how well it answers. */
export interface RankedChunk extends Ranked {
  readonly id: number;
}

/** In the order of the ids. All at once: a statement for each would take longer than the ranking. */
const WANTED = "FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.id = wanted.value";
const WITH_FILE = `JOIN files f ON f.id = c.id / ${CHUNKS_PER_FILE}`;
const CANDIDATES = `SELECT c.id, c.heading, c.aside, c.words ${WANTED}`;
const CANDIDATES_WITH_TEXT = `SELECT c.id, c.heading, c.aside, c.words, c.text ${WANTED}`;
const CANDIDATE_FILES =
  "SELECT f.id, f.folded, f.names, f.tags, f.bytes FROM json_each(?) AS wanted CROSS JOIN files f ON f.id = wanted.value";
const HITS = `SELECT c.id, c.start, c.end, c.headings, c.day, f.path, f.updated, f.signature, f.frontmatter ${WANTED} ${WITH_FILE}`;
const TEXTS = `SELECT c.id, c.headings, c.meaning, c.skip, c.text, f.title, f.path ${WANTED} ${WITH_FILE}`;

/** Reads chunks by their ids, only as much of each as is needed: most candidates are never shown. */
export class ChunkRows {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** With their ids; those that are gone are left out. */
  candidates(
    ids: readonly number[],
    withText: boolean,
  ): { readonly id: number; readonly candidate: Candidate }[] {
    const rows = this.#all(withText ? CANDIDATES_WITH_TEXT : CANDIDATES, ids);
    const fileIds = new Set(rows.map((row) => fileOf(row)));
    const files = new Map(
      this.#all(CANDIDATE_FILES, [...fileIds]).map((row) => [Number(row["id"]), describeFile(row)]),
    );
    return rows.flatMap((row) => {
      const file = files.get(fileOf(row));
      if (file === undefined) return [];
      return [{ id: Number(row["id"]), candidate: candidateOf(row, file) }];
    });
  }

  hits(chunks: readonly RankedChunk[]): SectionHit[] {
    const ids = chunks.map(({ id }) => id);
    return hitsOf(this.#all(HITS, ids), chunks);
  }

  texts(ids: readonly number[]): SectionText[] {
    return this.#all(TEXTS, ids).map(sectionTextOf);
  }

  #all(sql: string, ids: readonly number[]): Row[] {
    return this.#statements.get(sql).all(JSON.stringify(ids));
  }
}

/** Rows of chunks that were ranked, as hits; those that are gone are left out. */
export function hitsOf(rows: readonly Row[], chunks: readonly RankedChunk[]): SectionHit[] {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  return rows.flatMap((row) => {
    const id = Number(row["id"]);
    const ranked = byId.get(id);
    return ranked === undefined ? [] : [{ id, hit: hitOf(row, ranked) }];
  });
}

function fileOf(row: Row): number {
  return Math.floor(Number(row["id"]) / CHUNKS_PER_FILE);
}

/** A row with the columns of a chunk, `heading` normalised; without its text, that is empty. */
export function candidateOf(row: Row, file: CandidateFile): Candidate {
  return {
    file,
    heading: String(row["heading"]),
    aside: String(row["aside"]),
    words: String(row["words"]),
    text: typeof row["text"] === "string" ? row["text"] : "",
  };
}

export function sectionTextOf(row: Row): SectionText {
  const headings = String(row["headings"]).replaceAll("\n", " > ");
  const titles = [row["title"], headings].filter((title) => title !== null && title !== "");
  return {
    id: Number(row["id"]),
    path: String(row["path"]),
    meaning: String(row["meaning"]),
    title: titles.join(" > "),
    text: String(row["text"]).slice(Number(row["skip"])),
  };
}

/** A row with the columns of a file, `folded` its path normalised. */
export function describeFile(row: Row): CandidateFile {
  return {
    path: String(row["folded"]),
    names: String(row["names"]),
    tags: String(row["tags"]),
    length: Number(row["bytes"]),
  };
}

/** A row with the columns of a chunk and its file. */
export function hitOf(row: Row, { score, best }: Ranked): SearchHit {
  const end = Number(row["end"]);
  const frontmatter = Number(row["frontmatter"]);
  // A file of nothing but frontmatter is shown by it.
  const start = Math.min(end, Math.max(Number(row["start"]), frontmatter + 1));
  const headings = String(row["headings"]);
  const date = row["day"] ?? row["updated"];
  return {
    path: String(row["path"]),
    score,
    lines: { start, end },
    best: { start: Math.min(end, start + best.start), end: Math.min(end, start + best.end) },
    frontmatter,
    headings: headings === "" ? [] : headings.split("\n"),
    signature: String(row["signature"]),
    date: typeof date === "string" ? date : null,
    replaced: null,
  };
}
