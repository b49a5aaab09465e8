import { expect, it } from "vitest";

import { temporaryVault } from "../testing/temporary-vault.ts";
import { languageFor, languageOfText } from "./language.ts";

it.each([
  ["Appeler le plombier pour la fuite de la cuisine", "fr"],
  ["Réunion déplacée à jeudi", "fr"],
  ["Call the plumber about the leak in the kitchen", "en"],
  ["The café is closed", "en"],
  ["Hale 400", null],
  ["", null],
])("%j is %s", (text, lang) => {
  expect(languageOfText(text)).toBe(lang);
});

it("takes the language of the vault when a text does not tell, else English", async () => {
  const french = temporaryVault({ "overview.md": "# Vue\n\nLa carte de ce coffre, pour vous.\n" });
  expect(await languageFor("Hale 400", french)).toBe("fr");
  expect(await languageFor("Hale 400", temporaryVault())).toBe("en");
});
