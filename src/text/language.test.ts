import { expect, it } from "vitest";

import { isStopWord, languageOfText, languageOfWords } from "./language.ts";

it.each([
  ["Appeler le plombier pour la fuite de la cuisine", "fr"],
  ["Réunion déplacée à jeudi", "fr"],
  ["Il y a une fuite", "fr"],
  ["Call the plumber about the leak in the kitchen", "en"],
  ["The café is closed", "en"],
  ["I need a plumber", "en"],
  ["Bea's two days, and it doesn't fit", "en"],
  ["Hale 400", null],
  ["", null],
])("%j is %s", (text, lang) => {
  expect(languageOfText(text)).toBe(lang);
});

it("tells the language of a query's words by the stop words only one language has", () => {
  expect(languageOfWords(["qui", "a", "decide"])).toBe("fr");
  expect(languageOfWords(["who", "decided"])).toBe("en");
  expect(languageOfWords(["on", "plus"])).toBe("fr");
  expect(languageOfWords(["on", "pump"])).toBeNull();
});

it("knows the stop words of one language, or of both", () => {
  expect(isStopWord("d")).toBe(true);
  expect(isStopWord("d", "fr")).toBe(true);
  expect(isStopWord("d", "en")).toBe(false);
  expect(isStopWord("the", "fr")).toBe(false);
});
