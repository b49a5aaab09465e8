import type { Postgres, Row, Statement } from "../../storage/postgres/postgres.ts";
import type { Query } from "../query.ts";
import {
  groupsOf,
  languagesOf,
  stemsOf,
  type Stems,
  type WordGroup,
} from "../lexical/word-forms.ts";
import type { WordCount, WordQuestion } from "../lexical/word-questions.ts";

const WITH_STEM = (column: keyof Stems, values: string): string => `
  SELECT '${column}' AS language, s.${column} AS stem, s.word, w.chunks
  FROM stems s JOIN word_counts w ON w.vault = $1 AND w.word = s.word WHERE s.${column} = ANY (${values})`;

/** Words of a vault by their stems. */
type KnownStems = ReadonlyMap<string, readonly WordCount[]>;

/** Where words are looked up. */
export interface WordSource {
  readonly database: Postgres;
  readonly vault: number;
  readonly known?: KnownStems;
}

/** The forms of each word of a query that a vault has. @param known what {@link stemsStatement} was answered, where it was asked before */
export async function askForGroups(
  query: Query,
  total: number,
  { database, vault, known }: WordSource,
): Promise<WordGroup[]> {
  const stems = known ?? stemsIn(query, (await database.all([stemsStatement(query, vault)]))[0]);
  const asking = groupsOf(query, total);
  let step = asking.next();
  while (step.done !== true) {
    const question = step.value;
    const found =
      question.kind === "stem" ? stems.get(keyOf(question))?.slice(0, question.most) : undefined;
    step = asking.next(found ?? (await answer(question, database, vault)));
  }
  return step.value;
}

function keyOf({ column, stem }: { readonly column: string; readonly stem: string }): string {
  return `${column} ${stem}`;
}

/** All words of the query are looked up in one statement: one for each would take longer than the search. */
export function stemsStatement({ words }: Query, vault: number): Statement {
  const stems = words.map((word) => stemsOf(word));
  return [
    `${WITH_STEM("fr", "$2")} UNION ALL ${WITH_STEM("en", "$3")} ORDER BY chunks DESC, word`,
    [vault, stems.map(({ fr }) => fr), stems.map(({ en }) => en)],
  ];
}

export function stemsIn({ words, language }: Query, rows: readonly Row[] = []): KnownStems {
  const known = new Map<string, WordCount[]>();
  for (const word of words) {
    const stems = stemsOf(word);
    for (const column of languagesOf(language))
      known.set(keyOf({ column, stem: stems[column] }), []);
  }
  for (const row of rows)
    known
      .get(keyOf({ column: String(row["language"]), stem: String(row["stem"]) }))
      ?.push(countOf(row));
  return known;
}

async function answer(
  question: WordQuestion,
  database: Postgres,
  vault: number,
): Promise<WordCount[]> {
  switch (question.kind) {
    case "stem": {
      const sql = `${WITH_STEM(question.column, "$2")} ORDER BY w.chunks DESC, s.word LIMIT $3`;
      return (await database.query(sql, [vault, [question.stem], question.most])).map(countOf);
    }
    case "words": {
      const sql = "SELECT word, chunks FROM word_counts WHERE vault = $1 AND word = ANY ($2)";
      return (await database.query(sql, [vault, question.words])).map(countOf);
    }
    case "start": {
      const { start, shortest, longest } = question;
      const sql =
        "SELECT word, chunks FROM word_counts WHERE vault = $1 AND word >= $2 AND word < $3 AND length(word) BETWEEN $4 AND $5 ORDER BY word";
      const values = [vault, start, `${start}\u{10ffff}`, shortest, longest];
      return (await database.query(sql, values)).map(countOf);
    }
    case "containing": {
      const sql =
        "SELECT word, chunks FROM word_counts WHERE vault = $1 AND strpos(word, $2) > 0 ORDER BY chunks DESC, word LIMIT $3";
      return (await database.query(sql, [vault, question.part, question.most])).map(countOf);
    }
    case "uncounted":
      // Words are counted in the transaction that writes them.
      return [];
  }
}

function countOf(row: Row): WordCount {
  return { word: String(row["word"]), chunks: Number(row["chunks"]) };
}
