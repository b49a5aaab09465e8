import { expect, it } from "vitest";

import { chooseLanguage } from "./language.ts";

it.each([
  [["fr-CA", "en"], "fr"],
  [["en-GB", "fr"], "en"],
  [["de", "fr"], "fr"],
  [["de"], "en"],
  [[], "en"],
])("a browser that wants %j gets %s", (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language);
});
