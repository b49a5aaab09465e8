import { randomBytes } from "node:crypto";

import { expect, it } from "vitest";

import { openTeamVault } from "../../src/compose-team.ts";
import { createTeamIndex, MemoryIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import { create, move, remove, undo, update } from "../../src/testing/suites/changes.ts";
import { places } from "../../src/testing/suites/search-index-suite.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import type { Vault } from "../../src/vault/vault.ts";
import { indexContents } from "./index-contents.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";

const now = (): Date => new Date(2026, 10, 18, 12, 0, 0);

async function openNamed(
  database: Postgres,
  name: string,
): Promise<{ vault: Vault; index: SearchIndex }> {
  const row = await makeVaultRow(database, name);
  return openTeamVault({ database, row, now, policy: () => "all" });
}

it("a change is found at once on every replica, and so is its undo", async () => {
  const url = await emptyDatabase();
  const [one, other] = [
    await openNamed(await teamDatabase({ url }), "shared"),
    await openNamed(await teamDatabase({ url }), "shared"),
  ];
  await create(one.vault, "a.md", "la pompe de la cave\n");
  expect(await places(other.index, "pompe")).toEqual(["a.md:7-7"]);
  const moved = await move(other.vault, "a.md", "d/b.md");
  expect(await places(one.index, "pompe")).toEqual(["d/b.md:7-7"]);
  await undo(one.vault, moved);
  expect(await places(other.index, "pompe")).toEqual(["a.md:7-7"]);
  await remove(other.vault, "a.md");
  expect(await places(one.index, "pompe")).toEqual([]);
});

it("an index that an older release made is made again when its vault is opened, once", async () => {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const { vault } = await openNamed(database, "old");
  await create(vault, "a.md", '---\nauthor: "[[Jean Dupont]]"\n---\n\n학교에서\n');
  await database.execute("UPDATE properties SET value = '[[jean dupont]]' WHERE key = 'author'");
  await database.execute("DELETE FROM word_counts");
  await database.execute("UPDATE vaults SET index_outdated = true");
  const replicas = [await teamDatabase({ url }), await teamDatabase({ url })];
  const opened = await Promise.all(replicas.map(async (each) => openNamed(each, "old")));
  for (const { index } of opened) {
    expect(await places(index, "author:dupont")).toHaveLength(1);
    expect(await places(index, "학교")).toHaveLength(1);
  }
  expect(await database.query("SELECT index_outdated FROM vaults")).toEqual([
    { index_outdated: false },
  ]);
  const fresh = await createTeamIndex(database, await makeVaultRow(database, "new"));
  await fillIndex(vault, fresh);
  expect(await indexContents(url, "old")).toEqual(await indexContents(url, "new"));
});

it("while many indexes are made again, others are answered, on each replica", async () => {
  const url = await emptyDatabase();
  const outside = await teamDatabase({ url });
  const names = Array.from({ length: 6 }, (_, at) => `old-${at}`);
  for (const name of names) await create((await openNamed(outside, name)).vault, "a.md", "pompe\n");
  await outside.execute("UPDATE vaults SET index_outdated = true");
  const replicas = [
    await teamDatabase({ url, connections: 3, connectTimeout: 2000 }),
    await teamDatabase({ url, connections: 3, connectTimeout: 2000 }),
  ];
  const { opened } = await outside.transaction(async () => {
    // Whoever makes an index again waits here.
    await outside.query("SELECT 1 FROM vaults FOR UPDATE");
    const opening = replicas.map(async (each) =>
      Promise.all(names.map(async (name) => openNamed(each, name))),
    );
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect
      .poll(async () => (await asOwner(waiting, url)).length, { timeout: 20_000 })
      .toBeGreaterThan(1);
    for (const each of replicas) expect(await each.one("SELECT 1 AS one")).toEqual({ one: 1 });
    return { opened: Promise.all(opening) };
  });
  for (const each of (await opened).flat())
    expect(await places(each.index, "pompe")).toHaveLength(1);
  expect(await outside.query("SELECT 1 FROM vaults WHERE index_outdated")).toEqual([]);
});

it("vaults of one database find nothing of each other", async () => {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const [one, other] = [await openNamed(database, "one"), await openNamed(database, "other")];
  await create(one.vault, "a.md", "la pompe de la cave, tag #maison [[b]]\n");
  expect(await places(other.index, "pompe")).toEqual([]);
  expect(await places(other.index, "tag:maison")).toEqual([]);
  expect(await other.index.tags()).toEqual([]);
  expect(await other.index.links.dead()).toEqual([]);
  expect(await other.index.completions("ta", 5)).toEqual([{ text: "tag:", files: 0 }]);
  expect(await other.vault.log({ path: null, limit: 10 })).toEqual([]);
  const hash = (await one.vault.get("a.md")).version;
  await expect(other.vault.kept(hash)).rejects.toMatchObject({ code: "not_found" });
  expect(await other.vault.scan()).toEqual([]);
  await create(other.vault, "a.md", "la pompe de la cave, tag #maison [[b]]\n");
  await remove(one.vault, "a.md");
  expect(await places(other.index, "pompe")).toEqual(["a.md:7-7"]);
});

it("after many changes the index is the one that a new one would be", async () => {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const { vault } = await openNamed(database, "worn");
  const names = ["a.md", "d/b.md", "d/changelog.md", "tasks.md", "d/e/c.md"];
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const text = (): string =>
    `# Titre ${random(9)}\n\npompe${random(5)} [[b]] #tag${random(3)}\n\n## ${random(3)}\nstatus: fini\nReplaces: [[d/b#Titre]]\n`;
  const ids: string[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    const name = names[random(names.length)] ?? "a.md";
    const isThere = (await vault.find(name)).kind === "file";
    if (!isThere) ids.push(await create(vault, name, text()));
    else if (random(4) === 0) ids.push(await remove(vault, name));
    else if (random(5) === 0) ids.push(await move(vault, name, `m/${turn}-${name}`));
    else ids.push(await update(vault, name, `${text()}${text()}`));
    if (random(6) === 0)
      await vault.undo(ids[random(ids.length)] ?? "", { actor: "test", force: true });
  }
  const fresh = await createTeamIndex(database, await makeVaultRow(database, "fresh"));
  await fillIndex(vault, fresh);
  expect(await indexContents(url, "worn")).toEqual(await indexContents(url, "fresh"));
  const memory = new MemoryIndex();
  await fillIndex(vault, memory);
  for (const query of ["pompe1", "pompe4 titre", "tag:tag1", "status:fini", "titre 3 pompe2"])
    expect(new Set(await places(fresh, query, { limit: 50 }))).toEqual(
      new Set(await places(memory, query, { limit: 50 })),
    );
  await memory.close();
});

it("a name is a part of addresses, and is refused when it cannot be", async () => {
  const database = await teamDatabase();
  for (const name of ["", "A", "a/b", "-a", "a-", "a".repeat(64), "é"])
    await expect(makeVaultRow(database, name)).rejects.toMatchObject({ code: "invalid_argument" });
  await makeVaultRow(database, `a-${randomBytes(4).toString("hex")}`);
});
