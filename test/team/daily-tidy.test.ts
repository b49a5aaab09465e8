import { expect, it } from "vitest";

import { create } from "../../src/testing/suites/changes.ts";
import { personWith } from "./served-team.ts";
import { Team } from "../../src/team/people/team.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";
import { furnish, indexed, openReplica, type TeamHome } from "./team-home.ts";

const UNTIDY = {
  "inbox/a/original.md": "Waits.\n",
  "bucket/a.md": "The same.\n",
  "bucket/b.md": "The same.\n",
};

async function twoReplicas(now?: () => Date): Promise<{ url: string; a: TeamHome; b: TeamHome }> {
  const url = await emptyDatabase();
  await furnish(url, UNTIDY);
  await indexed(url);
  const options = now === undefined ? {} : { now };
  return { url, a: await openReplica(url, options), b: await openReplica(url, options) };
}

async function look(...homes: readonly TeamHome[]): Promise<number> {
  const looked = await Promise.all(homes.map(async ({ served }) => served.service.lookDaily()));
  return looked.filter((each) => each).length;
}

async function items({ service }: TeamHome): Promise<number> {
  const files = await Array.fromAsync(service.vault.walk("inbox"), ({ path }) => path);
  return files.filter((path) => path.endsWith("review.md")).length;
}

it("a vault is looked through daily by one of its replicas, when its setting says so", async () => {
  const today = { at: new Date(2026, 10, 18, 12, 0, 0) };
  const { a, b } = await twoReplicas(() => today.at);
  expect(await look(a, b)).toBe(0);
  await a.service.memory.tidy.daily.choose(true);
  await expect.poll(() => b.service.memory.tidy.status().daily).toBe(true);
  expect(await look(a, b)).toBe(1);
  expect(await items(a)).toBe(1);
  // The setting is told by notices, and what was made as well.
  await expect.poll(() => b.service.memory.tidy.last).toContain("2026-11-18");
  expect(await look(a, b)).toBe(0);
  today.at = new Date(2026, 10, 19, 12, 0, 0);
  // Its own item was written a moment ago: nobody looks while something changes.
  expect(await look(a, b)).toBe(0);
  await a.service.memory.tidy.daily.choose(false);
  expect(a.bugs).toEqual([]);
});

it("nobody looks while the vault is changed, and the next time somebody does", async () => {
  const { url, a, b } = await twoReplicas();
  await a.service.memory.tidy.daily.choose(true);
  await create(b.service.vault, "new.md", "new\n");
  expect(await look(a)).toBe(0);
  await asOwner("UPDATE events SET at = at - interval '11 minutes'", url);
  expect(await look(a)).toBe(1);
});

it("a run of a replica that was killed is done by another, an hour later", async () => {
  const today = { at: new Date(2026, 10, 18, 12, 0, 0) };
  const { url, a } = await twoReplicas(() => today.at);
  await a.service.memory.tidy.daily.choose(true);
  await asOwner(
    `INSERT INTO vault_settings SELECT id, 'tidying', '${today.at.getTime() + 3_600_000}' FROM vaults`,
    url,
  );
  expect(await look(a)).toBe(0);
  today.at = new Date(2026, 10, 18, 13, 0, 1);
  expect(await look(a)).toBe(1);
});

it("nothing is looked for while somebody may read the inbox and not the rest", async () => {
  const { url, a } = await twoReplicas();
  await a.service.memory.tidy.daily.choose(true);
  const database = await teamDatabase({ url });
  const team = new Team(database, () => new Date());
  await personWith({ database, team }, "Bob", "house", { "": "none", inbox: "viewer" });
  expect(await look(a)).toBe(0);
  expect(await items(a)).toBe(0);
});
