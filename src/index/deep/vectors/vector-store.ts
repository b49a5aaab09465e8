import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { ExpectedError } from "../../../errors.ts";
import { openRebuildable, transaction } from "../../../storage/sqlite.ts";
import { uniqueName } from "../../../text/slug.ts";
import type { SectionKey } from "../../search-index.ts";
import { VectorScan } from "./vector-scan.ts";

/** A vector is kept for this many days after its section is gone, so that an undo need not embed it again. */
const KEPT_DAYS = 30;
const DAY = 86_400_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS vectors (meaning TEXT PRIMARY KEY, day INTEGER NOT NULL, vector BLOB NOT NULL) STRICT;
`;

/** A vector, and the `meaning` of the sections it belongs to. */
interface StoredVector {
  readonly meaning: string;
  readonly vector: Float32Array;
}

/** A section found by meaning. */
export interface NearSection {
  readonly id: number;
  /** Cosine with the query: 1 for the same meaning. */
  readonly nearness: number;
}

/** All vectors in memory, a row each, shared with the worker thread. */
interface Matrix {
  readonly scan: VectorScan;
  readonly dimensions: number;
  buffer: SharedArrayBuffer;
  readonly rows: Map<string, number>;
}

/** Milliseconds without a search after which the memory is released. */
const IDLE = 10 * 60_000;
const LEAST_ROWS = 1024;

/**
 * The vectors of the sections, and a search for the nearest. They are on disk apart from the index, which may be rebuilt at any time, while
 * vectors cost hours or money. Each model has its own file, so that switching back to a model needs no new vectors.
 */
export class VectorStore {
  readonly #database: DatabaseSync;
  readonly #known: Set<string>;
  readonly #now: () => Date;
  #matrix: Matrix | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor({ folder, model, now }: { folder: string; model: string; now: () => Date }) {
    const { database } = openRebuildable({
      file: path.join(folder, `${uniqueName(path.basename(model), model)}.sqlite`),
      name: "The vectors",
      consequence: "so nothing can be found by meaning",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
      migrations: [SCHEMA],
    });
    const rows = database.prepare("SELECT meaning FROM vectors").all();
    this.#database = database;
    this.#known = new Set(rows.map((row) => String(row["meaning"])));
    this.#now = now;
  }

  has(meaning: string): boolean {
    return this.#known.has(meaning);
  }

  /** Stores vectors, scaled to length 1. Throws when they have another number of dimensions than before, after dropping all others. */
  add(vectors: readonly StoredVector[]): void {
    const kept = vectors.map(({ meaning, vector }) => ({ meaning, vector: unit(vector) }));
    const dimensions = this.#dimensions() ?? kept[0]?.vector.length;
    const odd = kept.find(({ vector }) => vector.length !== dimensions);
    if (odd !== undefined) this.#dropAll(odd.vector.length);
    const insert = this.#database.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)");
    transaction(this.#database, () => {
      for (const { meaning, vector } of kept) insert.run(meaning, this.#today(), bytesOf(vector));
    });
    for (const { meaning, vector } of kept) {
      this.#known.add(meaning);
      if (this.#matrix !== null) append(this.#matrix, meaning, bytesOf(vector));
    }
  }

  /** The model behind the name has changed. */
  #dropAll(length: number): never {
    this.#database.exec("DELETE FROM vectors");
    this.#known.clear();
    void this.#release();
    throw new ExpectedError(
      "unavailable",
      `The embedding model now gives vectors of ${length} numbers, not as before: all sections are embedded again.`,
    );
  }

  /** How many numbers a vector has; null when there is none. */
  #dimensions(): number | null {
    const row = this.#database.prepare("SELECT length(vector) AS bytes FROM vectors LIMIT 1").get();
    return row === undefined ? null : Number(row["bytes"]) / Float32Array.BYTES_PER_ELEMENT;
  }

  #today(): number {
    return Math.floor(this.#now().getTime() / DAY);
  }

  /**
   * The sections nearest to each vector.
   * @param sections those that may answer, and no others
   */
  async nearest(
    queries: readonly Float32Array[],
    sections: readonly SectionKey[],
    most: number,
  ): Promise<NearSection[][]> {
    const matrix = this.#loaded();
    if (matrix === null) return queries.map(() => []);
    const { scan, buffer, dimensions } = matrix;
    if (queries.some((query) => query.length !== dimensions)) return queries.map(() => []);
    const known = sections.filter(({ meaning }) => matrix.rows.has(meaning));
    const rows = Uint32Array.from(known, ({ meaning }) => matrix.rows.get(meaning) ?? 0);
    const lists: NearSection[][] = [];
    for (const query of queries) {
      const question = { matrix: buffer, dimensions, query: unit(query), rows, most };
      const { places, scores } = await scan.nearest(question);
      lists.push(
        [...places].flatMap((place, at) => {
          const section = known[place];
          return section === undefined ? [] : [{ id: section.id, nearness: scores[at] ?? 0 }];
        }),
      );
    }
    return lists;
  }

  /** Records which sections are present today, and deletes the vectors of those that have been absent for long. */
  keepOnly(present: Iterable<string>): void {
    const today = this.#today();
    const seen = this.#database.prepare(
      "UPDATE vectors SET day = ? WHERE meaning = ? AND day <> ?",
    );
    transaction(this.#database, () => {
      for (const meaning of present) seen.run(today, meaning, today);
      const remove = this.#database.prepare("DELETE FROM vectors WHERE day < ? RETURNING meaning");
      for (const row of remove.all(today - KEPT_DAYS)) this.#known.delete(String(row["meaning"]));
    });
  }

  async close(): Promise<void> {
    await this.#release();
    if (this.#database.isOpen) this.#database.close();
  }

  #loaded(): Matrix | null {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#release(), IDLE);
    this.#idle.unref();
    this.#matrix ??= this.#load();
    return this.#matrix;
  }

  #load(): Matrix | null {
    const dimensions = this.#dimensions();
    if (dimensions === null) return null;
    const room = Math.max(LEAST_ROWS, this.#known.size) * dimensions;
    const matrix: Matrix = {
      scan: new VectorScan(),
      dimensions,
      buffer: new SharedArrayBuffer(room * Float32Array.BYTES_PER_ELEMENT),
      rows: new Map(),
    };
    const rows = this.#database.prepare("SELECT meaning, vector FROM vectors").iterate();
    for (const { meaning, vector } of rows)
      if (vector instanceof Uint8Array) append(matrix, String(meaning), vector);
    return matrix;
  }

  async #release(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const matrix = this.#matrix;
    this.#matrix = null;
    await matrix?.scan.close();
  }
}

function append(matrix: Matrix, meaning: string, bytes: Uint8Array): void {
  const known = matrix.rows.get(meaning);
  const row = known ?? matrix.rows.size;
  const end = (row + 1) * bytes.length;
  if (end > matrix.buffer.byteLength) {
    const larger = new SharedArrayBuffer(Math.max(end, matrix.buffer.byteLength * 2));
    new Uint8Array(larger).set(new Uint8Array(matrix.buffer));
    matrix.buffer = larger;
  }
  new Uint8Array(matrix.buffer).set(bytes, row * bytes.length);
  matrix.rows.set(meaning, row);
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The same direction with length 1, so that a product of two is their cosine. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : new Float32Array(vector);
}
