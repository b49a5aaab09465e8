import { expect, it } from "vitest";

import { temporaryVault } from "../testing/temporary-vault.ts";
import { languageFor } from "./language.ts";

it("takes the language of the vault when a text does not tell, else English", async () => {
  const french = temporaryVault({ "overview.md": "# Vue\n\nLa carte de ce coffre, pour vous.\n" });
  expect(await languageFor("Hale 400", french)).toBe("fr");
  expect(await languageFor("Hale 400", temporaryVault())).toBe("en");
});
