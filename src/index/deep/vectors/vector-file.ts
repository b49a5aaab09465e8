import path from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { openRebuildable, transaction } from "../../../storage/sqlite.ts";
import { uniqueName } from "../../../text/slug.ts";

/** A vector is kept for this many days after its section is gone, so that an undo need not embed it again. */
const KEPT_DAYS = 30;
const DAY = 86_400_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS vectors (meaning TEXT PRIMARY KEY, day INTEGER NOT NULL, vector BLOB NOT NULL) STRICT;
`;

export interface StoredVector {
  readonly meaning: string;
  readonly vector: Float32Array;
}

/**
 * The vectors of one model, on disk: apart from the index, which may be rebuilt at any time, while vectors cost hours or money. Each model
 * has its own file, so that switching back to a model needs no new vectors.
 */
export class VectorFile {
  readonly #database: DatabaseSync;

  constructor(folder: string, model: string) {
    const { database } = openRebuildable({
      file: path.join(folder, `${uniqueName(path.basename(model), model)}.sqlite`),
      name: "The vectors",
      consequence: "so nothing can be found by meaning",
      pragmas: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
      migrations: [SCHEMA],
    });
    this.#database = database;
  }

  meanings(): string[] {
    const rows = this.#database.prepare("SELECT meaning FROM vectors").all();
    return rows.map((row) => String(row["meaning"]));
  }

  /** How many numbers a vector has; null when there is none. */
  get dimensions(): number | null {
    const row = this.#database.prepare("SELECT length(vector) AS bytes FROM vectors LIMIT 1").get();
    return row === undefined ? null : Number(row["bytes"]) / Float32Array.BYTES_PER_ELEMENT;
  }

  *all(): Generator<{ readonly meaning: string; readonly bytes: Uint8Array }> {
    for (const row of this.#database.prepare("SELECT meaning, vector FROM vectors").iterate()) {
      const { meaning, vector } = row;
      if (vector instanceof Uint8Array) yield { meaning: String(meaning), bytes: vector };
    }
  }

  add(vectors: readonly StoredVector[], now: Date): void {
    const insert = this.#database.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)");
    transaction(this.#database, () => {
      for (const { meaning, vector } of vectors) {
        const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
        insert.run(meaning, dayOf(now), bytes);
      }
    });
  }

  /** Records which sections are present today, and deletes the vectors of those that have been absent for long. */
  keepOnly(present: Iterable<string>, now: Date): void {
    const today = dayOf(now);
    const seen = this.#database.prepare(
      "UPDATE vectors SET day = ? WHERE meaning = ? AND day <> ?",
    );
    transaction(this.#database, () => {
      for (const meaning of present) seen.run(today, meaning, today);
      this.#database.prepare("DELETE FROM vectors WHERE day < ?").run(today - KEPT_DAYS);
    });
  }

  clear(): void {
    this.#database.exec("DELETE FROM vectors");
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / DAY);
}
