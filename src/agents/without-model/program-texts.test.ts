import { expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { textsFor } from "./program-texts.ts";

it("takes the language of the vault when a text does not tell, else English", async () => {
  const french = temporaryVault({ "overview.md": "# Vue\n\nLa carte de ce coffre, pour vous.\n" });
  expect((await textsFor("Hale 400", french)).review).toBe("Revue :");
  expect((await textsFor("Hale 400", temporaryVault())).review).toBe("Review:");
});
