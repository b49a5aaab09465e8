import { expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { textsFor } from "./program-texts.ts";

it("takes the language of the vault when a text does not tell, else English", async () => {
  const french = temporaryVault({ "overview.md": "# Vue\n\nLa carte de ce coffre, pour vous.\n" });
  expect((await textsFor("Hale 400", french)).review).toBe("Revue :");
  expect((await textsFor("Hale 400", temporaryVault())).review).toBe("Review:");
});

it("says in French why a run that was cut off could not be undone", async () => {
  const { interrupted, said } = await textsFor("Le couvreur commence le 20.", temporaryVault());
  const why = await said(
    "conflict",
    "vault/projects/house/state.md changed since; nothing was undone.",
  );
  expect(interrupted(why, "abc")).toMatch(
    /^Le programme s'est arrêté .* coffre undo abc --force$/u,
  );
  expect(why).toContain("vault/projects/house/state.md");
  expect(why).not.toMatch(/^vault\S+ changed/u);
});
