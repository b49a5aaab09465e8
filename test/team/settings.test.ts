import { expect, it } from "vitest";

import type { PrivateFolders } from "../../src/private-folders.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { move, undo } from "../../src/testing/suites/changes.ts";
import { emptyDatabase, asOwner } from "./team-database.ts";
import { furnish, indexed, openReplica, type TeamHome } from "./team-home.ts";

/** Two replicas with a vault that has a folder to hide. */
async function twoReplicas(): Promise<{ url: string; a: TeamHome; b: TeamHome }> {
  const url = await emptyDatabase();
  await furnish(url, { "journal/a.md": "secret pump\n", "work/b.md": "pump\n" });
  await indexed(url);
  return { url, a: await openReplica(url), b: await openReplica(url) };
}

function privatesOf({ service }: TeamHome): PrivateFolders {
  if (service.privates === undefined) throw new Error("an owner knows what is private");
  return service.privates;
}

/** From now on, the database refuses to change settings. */
async function refuseSettings(url: string): Promise<void> {
  await asOwner(
    `CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE lock_not_available; END $$;
     CREATE TRIGGER refused BEFORE INSERT OR UPDATE OR DELETE ON vault_settings FOR EACH ROW EXECUTE FUNCTION refused()`,
    url,
  );
}

/** The paths that a model sees of a vault. */
async function seenByModel({ service }: TeamHome): Promise<string[]> {
  return Array.fromAsync(service.models.vault.walk(""), ({ path }) => path);
}

it("what is private counts on every replica, and stays so when it is moved and moved back", async () => {
  const { a, b } = await twoReplicas();
  await privatesOf(a).add("vault/journal", a.service.vault);
  await expect.poll(() => privatesOf(b).paths).toEqual(["journal"]);
  const moved = await move(b.service.vault, "journal", "old/diary");
  // The replica that moved it knows it at once.
  expect(privatesOf(b).paths).toEqual(["old/diary"]);
  expect(await seenByModel(b)).toEqual(["work/b.md"]);
  await expect.poll(() => privatesOf(a).paths).toEqual(["old/diary"]);
  await undo(a.service.vault, moved);
  expect(privatesOf(a).paths).toEqual(["journal"]);
  await expect.poll(() => privatesOf(b).paths).toEqual(["journal"]);
  await privatesOf(b).remove("vault/journal");
  await expect.poll(() => privatesOf(a).paths).toEqual([]);
});

it("a private folder is moved with its mark, or not at all", async () => {
  const { url, a } = await twoReplicas();
  await privatesOf(a).add("vault/journal", a.service.vault);
  await refuseSettings(url);
  expect(await codeOf(async () => move(a.service.vault, "journal", "diary"))).toBe("busy");
  expect((await a.service.vault.find("journal/a.md")).kind).toBe("file");
  expect((await a.service.vault.find("diary")).kind).toBe("missing");
  expect(privatesOf(a).paths).toEqual(["journal"]);
  // What is not private can be moved.
  await move(a.service.vault, "work", "done");
  expect(await seenByModel(a)).toEqual(["done/b.md"]);
});

it("a folder that another replica has just marked is moved with its mark", async () => {
  const { url, a, b } = await twoReplicas();
  // As if the notice had not come yet: the replica that moves it knows nothing of the mark.
  await asOwner(
    "INSERT INTO vault_settings SELECT id, 'private', '[\"journal\"]' FROM vaults",
    url,
  );
  expect(privatesOf(b).paths).toEqual([]);
  await move(b.service.vault, "journal", "diary");
  expect(privatesOf(b).paths).toEqual(["diary"]);
  await expect.poll(() => privatesOf(a).paths).toEqual(["diary"]);
});

it("of folders that two people mark at once none is lost", async () => {
  const { a, b } = await twoReplicas();
  await Promise.all([
    privatesOf(a).add("vault/journal", a.service.vault),
    privatesOf(b).add("vault/work", b.service.vault),
  ]);
  for (const each of [a, b])
    await expect.poll(() => privatesOf(each).paths).toEqual(["journal", "work"]);
  await Promise.all([privatesOf(a).remove("vault/journal"), privatesOf(b).remove("vault/work")]);
  for (const each of [a, b]) await expect.poll(() => privatesOf(each).paths).toEqual([]);
});

it("what the database refuses is in force nowhere", async () => {
  const { url, a } = await twoReplicas();
  await privatesOf(a).add("vault/journal", a.service.vault);
  await refuseSettings(url);
  expect(await codeOf(async () => privatesOf(a).remove("vault/journal"))).toBe("busy");
  expect(privatesOf(a).paths).toEqual(["journal"]);
  expect(await seenByModel(a)).toEqual(["work/b.md"]);
  expect(await codeOf(async () => privatesOf(a).add("vault/work", a.service.vault))).toBe("busy");
  expect(privatesOf(a).paths).toEqual(["journal"]);
});
