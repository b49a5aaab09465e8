import { expect, it } from "vitest";

import { refusalOf } from "../testing/expected-error.ts";
import { countListings } from "../testing/count-listings.ts";
import { move } from "../testing/suites/changes.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";

const FILES = {
  "projects/maison/state.md": "a",
  "projects/maison/tasks.md": "a",
  "projects/été/journal.md": "a",
  "bucket/2026-01-02-facture-du-plombier.md": "a",
  ...Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`numbered/note-${at}.md`, "x"])),
};

const MISSPELT: readonly [string, string][] = [
  ["projects/maison/staet.md", "vault/projects/maison/state.md"],
  ["project/maison/state.md", "vault/projects/maison/state.md"],
  ["projects/ete/journal.md", "vault/projects/été/journal.md"],
  ["facture-plombier.md", "vault/bucket/2026-01-02-facture-du-plombier.md"],
  ["Projects/Maison", "vault/projects/maison"],
];

it.each(MISSPELT)(
  "the same paths are suggested for %s with and without the disk",
  async (wanted, meant) => {
    const vault = temporaryVault(FILES);
    const walked = await refusalOf(() => vault.get(wanted));
    vault.totals.scan();
    const known = await refusalOf(() => vault.get(wanted));
    expect(known?.message).toContain(meant);
    expect(known?.message).toBe(walked?.message);
  },
);

it("a missing path lists its own folders, and no other", async () => {
  const vault = temporaryVault({
    ...FILES,
    ...Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many/d${at}/x.md`, "x"])),
  });
  vault.totals.scan();
  const listings = countListings();
  await refusalOf(() => vault.get("projects/maison/staet.md"));
  expect(listings()).toBeLessThanOrEqual(3);
});

it("follows names that come and go", async () => {
  const vault = temporaryVault({ "a/rapport.md": "x" });
  vault.totals.scan();
  const hint = async (): Promise<string | undefined> =>
    (await refusalOf(() => vault.get("a/raport.md")))?.message;
  expect(await hint()).toContain("vault/a/rapport.md");
  await move(vault, "a/rapport.md", "a/bilan.md");
  expect(await hint()).not.toContain("rapport.md?");
});
