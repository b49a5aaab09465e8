import type { Postgres } from "../../storage/postgres/postgres.ts";
import type { SharedColumns } from "../lexical/file-columns.ts";
import { eachTerm } from "../lexical/terms.ts";
import { stemsOf } from "../lexical/word-forms.ts";

/** All texts of one chunk, normalised. */
export interface CountedChunk extends SharedColumns {
  readonly heading: string;
  readonly words: string;
  readonly aside: string;
}

/** No index of PostgreSQL takes longer ones. */
const LONGEST_WORD = 200;

const ADD_WORDS = `
  INSERT INTO word_counts AS w (vault, word, chunks)
  SELECT $1, x.word, x.chunks FROM unnest($2::text[], $3::integer[]) AS x (word, chunks)
  ON CONFLICT (vault, word) DO UPDATE SET chunks = w.chunks + excluded.chunks`;
const ADD_STEMS = `
  INSERT INTO stems (word, fr, en)
  SELECT x.word, x.fr, x.en FROM unnest($1::text[], $2::text[], $3::text[]) AS x (word, fr, en)
  WHERE NOT EXISTS (SELECT 1 FROM stems s WHERE s.word = x.word AND s.fr = x.fr AND s.en = x.en) ORDER BY x.word
  ON CONFLICT (word) DO UPDATE SET fr = excluded.fr, en = excluded.en`;
const ADD_COUNTS = `
  INSERT INTO index_counts AS c (vault, files, chunks, bytes) VALUES ($1, $2, $3, $4)
  ON CONFLICT (vault) DO UPDATE SET files = c.files + excluded.files, chunks = c.chunks + excluded.chunks, bytes = c.bytes + excluded.bytes`;

/** The words that a chunk is counted for. */
export function wordsOf({ path, names, tags, heading, words, aside }: CountedChunk): Set<string> {
  const found = new Set<string>();
  for (const text of [path, names, tags, heading, words, aside])
    eachTerm(text, (word) => {
      if (word.length <= LONGEST_WORD) found.add(word);
    });
  return found;
}

/** How many files and chunks a vault has, and how many chunks have each word: what a transaction adds and takes away, written at its end. */
export class VaultCounts {
  readonly #database: Postgres;
  readonly #vault: number;
  readonly #words = new Map<string, number>();
  files = 0;
  #chunks = 0;
  #bytes = 0;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
  }

  /** A word counts once for a chunk, wherever it stands in it. */
  addChunk(chunk: CountedChunk, sign: 1 | -1): void {
    for (const word of wordsOf(chunk)) this.#words.set(word, (this.#words.get(word) ?? 0) + sign);
    this.#chunks += sign;
    this.#bytes += sign * chunk.words.length;
  }

  save(): void {
    this.#database.send(ADD_COUNTS, [this.#vault, this.files, this.#chunks, this.#bytes]);
    const changed = [...this.#words].filter(([, chunks]) => chunks !== 0);
    if (changed.length === 0) return;
    const counts = changed.map(([, chunks]) => chunks);
    this.#addStems(changed.filter(([, chunks]) => chunks > 0).map(([word]) => word));
    this.#database.send(ADD_WORDS, [this.#vault, changed.map(([word]) => word), counts]);
    const fewer = changed.filter(([, chunks]) => chunks < 0).map(([word]) => word);
    if (fewer.length > 0)
      this.#database.send(
        "DELETE FROM word_counts WHERE vault = $1 AND word = ANY ($2) AND chunks <= 0",
        [this.#vault, fewer],
      );
  }

  /** Once for a transaction, in the order of the words: two vaults that add the same ones wait for each other, and never in a circle. */
  #addStems(words: readonly string[]): void {
    if (words.length === 0) return;
    const stems = words.map((word) => stemsOf(word));
    this.#database.send(ADD_STEMS, [words, stems.map(({ fr }) => fr), stems.map(({ en }) => en)]);
  }
}
