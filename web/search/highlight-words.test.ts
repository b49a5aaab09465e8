import { describe, expect, it } from "vitest";

import { markWords, queryWords } from "./highlight-words.ts";

function marked(text: string, query: string): string[] {
  return markWords(text, queryWords(query))
    .filter(({ isMatch }) => isMatch)
    .map((piece) => piece.text);
}

describe("words that were looked for", () => {
  it("are marked in any case, with accents or without", () => {
    expect(marked("Électricité : l'ÉLECTRICITÉ", "electricite")).toEqual([
      "Électricité",
      "ÉLECTRICITÉ",
    ]);
  });

  it("are marked in near forms, and as they are typed", () => {
    expect(marked("deposit, deposits, depot", "deposits")).toEqual(["deposit", "deposits"]);
    expect(marked("kilns and skills", "kil")).toEqual(["kilns"]);
  });

  it("are marked as whole words when they are short", () => {
    expect(marked("Jo and Jonah", "jo")).toEqual(["Jo"]);
  });

  it("are not marked when they were excluded", () => {
    expect(marked("kiln trailer", "kiln -trailer")).toEqual(["kiln"]);
  });

  it("leave the text as it is", () => {
    const text = "The kiln — 240 °C.";
    expect(
      markWords(text, queryWords("kiln 240"))
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  });
});
