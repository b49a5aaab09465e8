import type { SQLOutputValue } from "node:sqlite";

import type { Statements } from "./database.ts";
import type { Asking, WordCount, WordQuestion } from "./word-questions.ts";

/** Answers questions from the tables of SQLite. */
export function askSqlite<T>(asking: Asking<T>, statements: Statements): T {
  let step = asking.next();
  while (step.done !== true) step = asking.next(answer(step.value, statements));
  return step.value;
}

function answer(question: WordQuestion, statements: Statements): WordCount[] {
  switch (question.kind) {
    case "stem": {
      const sql = `SELECT word, chunks FROM words WHERE ${question.column} = ? ORDER BY chunks DESC LIMIT ${question.most}`;
      return statements.get(sql).all(question.stem).map(countOf);
    }
    case "words": {
      const one = statements.get("SELECT word, chunks FROM words WHERE word = ?");
      return question.words.flatMap((word) => one.all(word).map(countOf));
    }
    case "start": {
      const { start, shortest, longest } = question;
      return statements
        .get(
          "SELECT word, chunks FROM words WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?",
        )
        .all(start, `${start}\u{10ffff}`, shortest, longest)
        .map(countOf);
    }
    case "containing":
      return statements
        .get(
          `SELECT word, chunks FROM words WHERE instr(word, ?) > 0 ORDER BY chunks DESC LIMIT ${question.most}`,
        )
        .all(question.part)
        .map(countOf);
    case "uncounted":
      return statements
        .get("SELECT term AS word, doc AS chunks FROM temp.vocabulary WHERE term = ?")
        .all(question.word)
        .map(countOf);
  }
}

function countOf(row: Readonly<Record<string, SQLOutputValue>>): WordCount {
  return { word: String(row["word"]), chunks: Number(row["chunks"]) };
}
