import { DatabaseSync } from "node:sqlite";

import { expect, it } from "vitest";

import { eachTerm, normalise, termsInQuery } from "./terms.ts";

const SURROGATES = { first: 0xd800, last: 0xdfff };
/** The planes beyond have no letters. */
const LAST_CODE = 0x33fff;

/** A word around each character there is, a line each. */
function everyCharacter(): string {
  const lines: string[] = [];
  for (let code = 1; code <= LAST_CODE; code += 1)
    if (code < SURROGATES.first || code > SURROGATES.last)
      lines.push(`a${String.fromCodePoint(code)}b`);
  return lines.join("\n");
}

it("cuts every character there is into the words that FTS5 indexes, so that counts agree", () => {
  const text = normalise(everyCharacter());
  const database = new DatabaseSync(":memory:");
  database.exec(`
    CREATE VIRTUAL TABLE texts USING fts5 (body, tokenize = 'unicode61 remove_diacritics 0');
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, 'row')`);
  database.prepare("INSERT INTO texts (body) VALUES (?)").run(text);
  const rows = database.prepare("SELECT term FROM vocabulary").all();
  const indexed = new Set(rows.map((row) => String(row["term"])));
  const counted = new Set<string>();
  eachTerm(text, (term) => counted.add(term));
  expect([...counted].filter((term) => !indexed.has(term))).toEqual([]);
  expect([...indexed].filter((term) => !counted.has(term))).toEqual([]);
  database.close();
});

it("takes the shapes of one letter for that letter", () => {
  expect(termsInQuery("ΟΔΌΣ 5 µm Maſs").words).toEqual(["οδοσ", "5", "μm", "mass"]);
  expect(normalise("οδός")).toBe("οδοσ");
});
