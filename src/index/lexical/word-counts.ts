import { WORDS_INDEXES, WORDS_TABLE, type Statements } from "./database.ts";
import { eachTerm } from "./terms.ts";
import { stemsOf } from "./word-forms.ts";

/** What changes of a word: in how many chunks more it stands, and the last chunk that was counted. */
interface Change {
  chunks: number;
  counted: number;
}

/**
 * How many chunks have each word, kept exactly: what chunks bring and take away is added up here, and saved in the transaction
 * that adds and deletes them. A word that goes and comes back in one transaction costs nothing. A load counts all words at its end instead.
 */
export class WordCounts {
  readonly #statements: Statements;
  #changes = new Map<string, Change>();
  #counted = 0;
  #isLater = false;

  constructor(statements: Statements) {
    this.#statements = statements;
    statements.get("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, fts, 'row')").run();
  }

  /** From now on nothing is counted, until {@link countAll}. */
  countLater(): void {
    this.#isLater = true;
    this.#statements.get("UPDATE corpus SET counted = 0").run();
  }

  /** Whether a load did not come to its end. */
  get isMissing(): boolean {
    const row = this.#statements.get("SELECT counted FROM corpus").get();
    return !this.#isLater && row?.["counted"] === 0;
  }

  /** Counts what is indexed from scratch, which for many chunks is much faster than one by one. Stems that are known stay. */
  countAll(): void {
    const statements = this.#statements;
    statements.get(WORDS_TABLE("counted_words")).run();
    const insert = statements.get(
      "INSERT INTO counted_words (word, fr, en, chunks) VALUES (?, ?, ?, ?)",
    );
    for (const row of statements.get(ALL_WORDS).iterate()) {
      const word = String(row["word"]);
      const { fr, en } =
        row["fr"] === null ? stemsOf(word) : { fr: String(row["fr"]), en: String(row["en"]) };
      insert.run(word, fr, en, Number(row["chunks"]));
    }
    statements.get("DROP TABLE words").run();
    statements.get("ALTER TABLE counted_words RENAME TO words").run();
    for (const index of WORDS_INDEXES) statements.get(index).run();
    statements.get("UPDATE corpus SET counted = 1").run();
    this.#isLater = false;
  }

  /** @param normalised all texts of one chunk: a word counts once, wherever it stands in them */
  add(normalised: readonly string[], chunks: 1 | -1): void {
    if (this.#isLater) return;
    const changes = this.#changes;
    const counted = (this.#counted += 1);
    for (const text of normalised) {
      eachTerm(text, (word) => {
        const change = changes.get(word);
        if (change === undefined) changes.set(word, { chunks, counted });
        else if (change.counted !== counted) {
          change.chunks += chunks;
          change.counted = counted;
        }
      });
    }
  }

  save(): void {
    // In the order of the table, so that neighbours are written together.
    const words = [...this.#changes]
      .filter(([, { chunks }]) => chunks !== 0)
      .map(([word]) => word)
      .toSorted();
    if (words.length === 0) return this.#forget();
    const known = new Set(
      this.#statements
        .get(KNOWN)
        .all(JSON.stringify(words))
        .map((row) => String(row["word"])),
    );
    const change = this.#statements.get("UPDATE words SET chunks = chunks + ? WHERE word = ?");
    const drop = this.#statements.get("DELETE FROM words WHERE word = ? AND chunks <= 0");
    const insert = this.#statements.get(
      "INSERT INTO words (word, fr, en, chunks) VALUES (?, ?, ?, ?)",
    );
    for (const word of words) {
      const chunks = this.#changes.get(word)?.chunks ?? 0;
      if (known.has(word)) {
        change.run(chunks, word);
        if (chunks < 0) drop.run(word);
      } else {
        const { fr, en } = stemsOf(word);
        insert.run(word, fr, en, chunks);
      }
    }
    this.#forget();
  }

  /** Forgets what was not saved: its transaction failed. */
  reset(): void {
    this.#isLater = false;
    this.#forget();
  }

  #forget(): void {
    this.#changes = new Map();
  }
}

const KNOWN =
  "SELECT w.word FROM json_each(?) AS wanted CROSS JOIN words w ON w.word = wanted.value";
const ALL_WORDS = `
  SELECT v.term AS word, v.doc AS chunks, w.fr, w.en
  FROM temp.vocabulary v LEFT JOIN words w ON w.word = v.term ORDER BY v.term`;
