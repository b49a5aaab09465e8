import { expect, it, onTestFinished } from "vitest";

import { openIndexDatabase, Statements } from "./database.ts";
import { askSqlite } from "./sqlite-words.ts";
import { guessesFor } from "./word-guesses.ts";

class Counting extends Statements {
  asked = 0;

  override get(sql: string): ReturnType<Statements["get"]> {
    this.asked += 1;
    return super.get(sql);
  }
}

it("guesses nothing for a word that nobody types, and looks for nothing", () => {
  const { database } = openIndexDatabase(null);
  onTestFinished(() => database.close());
  database.exec("INSERT INTO words VALUES ('lantern', 'lantern', 'lantern', 3)");
  const statements = new Counting(database);
  expect(askSqlite(guessesFor("lanterm"), statements)).toEqual(["lantern"]);
  expect(statements.asked).toBeGreaterThan(0);
  statements.asked = 0;
  expect(askSqlite(guessesFor("a".repeat(70_000)), statements)).toEqual([]);
  expect(statements.asked).toBe(0);
});
