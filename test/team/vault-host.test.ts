import { expect, it, onTestFinished } from "vitest";

import { ServedVault } from "../../src/server/team/served-vault.ts";
import { VaultHost } from "../../src/server/team/vault-host.ts";
import { Notices } from "../../src/storage/postgres/notices.ts";
import { TeamService } from "../../src/team/team-service.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { note } from "../../src/testing/suites/update-queue-suite.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { BY_OPERATOR } from "./served-team.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

async function hostOf(maxIdle: number) {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const notices = new Notices(url);
  await notices.start();
  onTestFinished(async () => notices.close());
  const opened: string[] = [];
  const onBug = (error: unknown): void => expect.fail(String(error));
  const common = { database, now: () => new Date(), onBug };
  const host = new VaultHost({
    ...common,
    isListening: () => notices.isListening,
    maxIdle,
    open: async (row) => {
      opened.push(row.name);
      const service = await TeamService.open({
        ...common,
        notices,
        row,
        scratch: temporaryFolder(),
        model: null,
        dailyTokens: null,
        ingest: {},
      });
      return new ServedVault({ ...common, row, service, version: "test" });
    },
  });
  onTestFinished(async () => host.close());
  return { host, database, opened };
}

it("opens a vault when it is first asked for, once, and closes it when nobody uses it", async () => {
  const { host, database, opened } = await hostOf(0);
  await makeVaultRow(database, "a");
  await makeVaultRow(database, "b");
  expect(await codeOf(async () => host.use("nowhere", async () => true))).toBe("not_found");
  await Promise.all(Array.from({ length: 5 }, async () => host.use("a", async () => true)));
  expect(opened).toEqual(["a"]);
  await host.use("b", async () => {
    await host.closeIdle();
    // The one in use stays.
    expect(host.size).toBe(1);
  });
  await host.use("a", async ({ service }) => service.memory.updates.counts());
  expect(opened).toEqual(["a", "b", "a"]);
});

it("keeps a vault open that a page follows", async () => {
  const { host, database } = await hostOf(0);
  await makeVaultRow(database, "a");
  const answer = await host.use("a", async (vault) =>
    vault.fetch(new Request("http://x/api/events"), {}, BY_OPERATOR),
  );
  await host.closeIdle();
  expect(host.size).toBe(1);
  await answer.body?.cancel();
  await host.closeIdle();
  expect(host.size).toBe(0);
});

it("opens a vault that nobody asks for when an update waits in it", async () => {
  const { host, database } = await hostOf(60_000);
  const row = await makeVaultRow(database, "a");
  // As a replica leaves it that was killed before it ran it.
  await database.execute(
    "INSERT INTO updates (vault, id, status, input, created) VALUES ($1, 'left', 'waiting', $2, 1)",
    [row.id, JSON.stringify(note("left behind"))],
  );
  const status = async (): Promise<unknown> =>
    (await database.one("SELECT status FROM updates WHERE id = 'left'"))?.["status"];
  await expect.poll(status, { timeout: 30_000 }).toBe("parked");
  expect(host.size).toBe(1);
});

it("opens the vaults that are to be looked through daily, and no others, until they have been", async () => {
  const { host, database, opened } = await hostOf(0);
  for (const name of ["daily", "off", "never"]) {
    const row = await makeVaultRow(database, name);
    if (name !== "never")
      await database.execute("INSERT INTO vault_settings VALUES ($1, 'tidy', $2)", [
        row.id,
        JSON.stringify(name),
      ]);
  }
  await host.tidy();
  expect(opened).toEqual(["daily"]);
  await host.use("daily", async ({ service }) => {
    expect(service.memory.tidy.last).toEqual(expect.any(String));
  });
  await host.closeIdle();
  expect(host.size).toBe(0);
  await host.tidy();
  expect(opened).toEqual(["daily"]);
});
