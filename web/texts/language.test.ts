import { expect, it } from "vitest";

import { chooseLanguage, chooseLocale } from "./language.ts";

it.each([
  [["fr-CA", "en"], "fr"],
  [["en-GB", "fr"], "en"],
  [["de", "fr"], "fr"],
  [["de"], "en"],
  [[], "en"],
])("a browser that wants %j gets %s", (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});

it.each([
  [["de", "en-GB", "en-US"], "en-GB"],
  [["de"], "en"],
])("a browser that wants %j writes dates as in %s", (wanted, locale) => {
  expect(chooseLocale(wanted, "en")).toBe(locale);
});
