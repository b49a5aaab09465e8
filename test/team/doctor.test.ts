import { expect, it } from "vitest";

import { coffre } from "../../src/cli/testing/cli.ts";
import { openTeamVault } from "../../src/compose-team.ts";
import { create, move, remove, undo, update } from "../../src/testing/suites/changes.ts";
import { temporaryFolder, writeFiles } from "../../src/testing/temporary-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import type { Vault } from "../../src/vault/vault.ts";
import { createVault } from "../../src/vault/vault.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";

/** A vault in which everything was done that leaves rows of each kind. */
async function house(url: string): Promise<Vault> {
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, "house");
  const { vault } = await openTeamVault({
    database,
    row,
    now: () => new Date(),
    policy: () => "own",
  });
  await create(vault, "d/pump.md", "---\ntags: [work]\n---\n# Pump\n\nOn since May. [[boiler]]\n");
  await create(vault, "boiler.md", "# Boiler\n\nReplaces: [[pump]] (old)\n");
  await create(vault, "image.bin", Buffer.from([0, 255, 1]));
  await update(vault, "boiler.md", "# Boiler\n\nA new one. [[nowhere]]\n");
  await move(vault, "d", "e");
  await undo(vault, await remove(vault, "e"));
  await remove(vault, "image.bin");
  return vault;
}

async function doctor(url: string, ...more: string[]): Promise<{ code: number; stdout: string }> {
  return coffre(["doctor", "--database", url, ...more]);
}

const OF = "WHERE vault = (SELECT id FROM vaults WHERE name = 'house')";
const BOILER = `(SELECT hash FROM tree ${OF} AND path = 'boiler.md')`;
const OLD = `(SELECT detail::json -> 'kept' ->> 'wholeBefore' FROM changes ${OF} AND detail LIKE '%wholeBefore%' LIMIT 1)`;

/** What somebody does to the rows, and what must be said of it. */
const DAMAGES: readonly (readonly [what: string, sql: string, said: string])[] = [
  [
    "the bytes of a file are gone",
    `DELETE FROM blobs ${OF} AND hash = ${BOILER}`,
    "the bytes of vault/boiler.md are missing",
  ],
  [
    "the bytes of a file cannot be decompressed",
    `UPDATE blobs SET bytes = '\\x00ff' ${OF} AND hash = ${BOILER}`,
    "the bytes of vault/boiler.md are missing",
  ],
  [
    "the bytes of a file are those of another",
    `UPDATE blobs SET bytes = (SELECT b.bytes FROM blobs b ${OF.replace("vault", "b.vault")} AND b.hash <> ${BOILER} LIMIT 1) ${OF} AND hash = ${BOILER}`,
    "the bytes of vault/boiler.md are missing, or are not those of their hash",
  ],
  [
    "a row says another size",
    `UPDATE tree SET size = size + 1 ${OF} AND path = 'boiler.md'`,
    "the rows of vault/boiler.md do not fit their bytes",
  ],
  [
    "a row says another version",
    `UPDATE tree SET version = 'x' ${OF} AND path = 'boiler.md'`,
    "the rows of vault/boiler.md do not fit their bytes",
  ],
  [
    "a folder has no row",
    `DELETE FROM tree ${OF} AND path = 'e'`,
    "the folder of vault/e/pump.md has no row",
  ],
  ["the total is wrong", "UPDATE vaults SET bytes = bytes + 5", "UPDATE vaults SET bytes ="],
  [
    "old bytes are gone",
    `DELETE FROM blobs ${OF} AND hash = ${OLD}`,
    "are missing or damaged: these cannot be undone",
  ],
  [
    "a change is gone that another builds on",
    `DELETE FROM changes ${OF} AND detail LIKE '%wholeBefore%'`,
    "contradict each other",
  ],
  [
    "a change says another path than its row",
    `UPDATE changes SET path = 'other.md' ${OF} AND detail LIKE '%wholeBefore%'`,
    "contradict each other",
  ],
  [
    "an entry is gone with its changes",
    `DELETE FROM entries ${OF} AND seq = (SELECT max(seq) FROM changes ${OF} AND detail LIKE '%wholeBefore%')`,
    "the history does not lead from version to version: vault/boiler.md (now)",
  ],
  [
    "a file was changed by hand",
    `UPDATE tree SET hash = s.hash, version = s.version, size = s.size FROM tree s ${OF.replace("vault", "s.vault")} AND s.path = 'e/pump.md' AND tree.vault = s.vault AND tree.path = 'boiler.md'`,
    "the history does not lead from version to version: vault/boiler.md (now)",
  ],
  [
    "a file is not indexed",
    `DELETE FROM files ${OF} AND path = 'boiler.md'`,
    "the index differs for vault/boiler.md",
  ],
  [
    "a section has another text",
    `UPDATE chunks SET text = 'x' ${OF} AND path = 'boiler.md'`,
    "the index differs for vault/boiler.md",
  ],
  [
    "a section is searched by other words",
    `UPDATE chunks SET tsv = '''x'':1' ${OF} AND path = 'boiler.md'`,
    "the index differs for vault/boiler.md",
  ],
  [
    "a property is gone",
    `DELETE FROM properties ${OF} AND key = 'tag'`,
    "the index differs for vault/e/pump.md",
  ],
  [
    "a link is gone",
    `DELETE FROM links ${OF} AND target = 'boiler'`,
    "the links differ for vault/e/pump.md",
  ],
  [
    "a name of links is gone",
    `DELETE FROM link_names ${OF} AND key LIKE '%pump%'`,
    "the links differ for vault/e/pump.md",
  ],
  [
    "a file is indexed that is not there",
    "INSERT INTO files (vault, path, folded, signature, names, tags, facts, bytes, frontmatter, tsv) SELECT id, 'gone.md', 'gone.md', '', '', '', '[]', 0, 0, '' FROM vaults WHERE name = 'house'",
    "the index has files that are not in the vault: vault/gone.md",
  ],
  [
    "a word is counted wrongly",
    `UPDATE word_counts SET chunks = 9 ${OF} AND word = 'pump'`,
    "words are counted wrongly: pump",
  ],
  [
    "a word is not counted",
    `DELETE FROM word_counts ${OF} AND word = 'pump'`,
    "words are counted wrongly: pump",
  ],
  [
    "a stem is another",
    "UPDATE stems SET en = 'x' WHERE word = 'pump'",
    "words are counted wrongly: pump",
  ],
  [
    "the totals of the index are wrong",
    `UPDATE index_counts SET chunks = 99 ${OF}`,
    "the totals of the index are wrong",
  ],
];

const FRENCH = { LANG: "fr_FR.UTF-8" };

function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^(?:ok|PROBL[EÈ]M(?:E)?)? */u, ""))
    .filter((line) => line !== "");
}

it("finds each damage, says what to do, and makes the index again where that is what to do", async () => {
  const url = await emptyDatabase();
  const clean = expect.not.stringContaining("PROBLEM");
  for (const [what, sql, said] of DAMAGES) {
    await house(url);
    expect([what, (await doctor(url)).stdout]).toEqual([what, clean]);
    await asOwner(sql, url);
    const found = await doctor(url, "--vault", "house");
    expect([what, found.code, found.stdout]).toEqual([what, 1, expect.stringContaining(said)]);
    const inFrench = (await coffre(["doctor", "--database", url], { environment: FRENCH })).stdout;
    expect(linesIn(inFrench).filter((line) => linesIn(found.stdout).includes(line))).toEqual([]);
    if (/index|links|words/u.test(said)) {
      expect(found.stdout).toContain("coffre reindex --database URL --vault house");
      const rebuilt = await coffre(["reindex", "--database", url, "--vault", "house"]);
      expect([what, rebuilt.stderr]).toEqual([what, ""]);
      expect([what, (await doctor(url)).stdout]).toEqual([what, clean]);
    }
    await asOwner("DELETE FROM vaults", url);
  }
});

it("finds nothing in a vault that was imported after other programs changed its files, or erased in part", async () => {
  const [root, state, url] = [temporaryFolder(), temporaryFolder(), await emptyDatabase()];
  const local = createVault({ root, state });
  await create(local, "a.md", "one\n");
  await update(local, "a.md", "two\n");
  writeFiles(root, { "a.md": "three\n", "b.md": "b\n" });
  await update(local, "a.md", "four\n");
  local.close();
  await coffre(["import", root, "--vault", "house", "--database", url, "--state", state]);
  const vault = await house(url);
  expect((await doctor(url)).stdout).toContain("the history leads from version to version");
  await vault.erase({ texts: [Buffer.from("On since May")] }, false);
  const erased = await doctor(url);
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringContaining("the index is equal")]);
});

it("says that there is no vault", async () => {
  const url = await emptyDatabase();
  await teamDatabase({ url });
  expect((await doctor(url)).stdout).toContain("The database has no vaults.");
  expect((await doctor(url, "--vault", "none")).code).toBe(1);
});
