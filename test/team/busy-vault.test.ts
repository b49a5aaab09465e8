import { expect, it } from "vitest";

import { parkingBatch } from "../../src/agents/batches.ts";
import { undoAttempt } from "../../src/agents/update/batch.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import { update } from "../../src/testing/suites/changes.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

const BATCH = "u1-1";

/** A vault in which an attempt of an update has written, and was putting the rest into the inbox. */
async function cutOff() {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url, lockTimeout: 100 });
  const vault = new PostgresVault({ database, row: await makeVaultRow(database, "house") });
  for (const [batch, path] of [
    [BATCH, "notes/a.md"],
    [parkingBatch(BATCH), "inbox/a/original.md"],
  ] as const)
    await vault.change({ actor: "update agent", call: "write", batch }, async ({ writer }) =>
      writer.create(path, Buffer.from("a\n")),
    );
  const files = async (): Promise<string[]> => Array.fromAsync(vault.walk(""), ({ path }) => path);
  return { url, database, vault, files };
}

it("an attempt is taken back with what it had put into the inbox", async () => {
  const { vault, files } = await cutOff();
  expect(await undoAttempt(vault, BATCH)).toBeNull();
  expect(await files()).toEqual([]);
  expect(await undoAttempt(vault, BATCH)).toBeNull();
});

it("what cannot be taken back because somebody holds the vault is not given up", async () => {
  const { url, vault, files } = await cutOff();
  const outside = await teamDatabase({ url });
  await outside.transaction(async () => {
    await outside.query("SELECT 1 FROM vaults FOR UPDATE");
    expect(await codeOf(async () => undoAttempt(vault, BATCH))).toBe("busy");
  });
  expect(await files()).toHaveLength(2);
  expect(await undoAttempt(vault, BATCH)).toBeNull();
  expect(await files()).toEqual([]);
});

it("nor because a folder is being imported", async () => {
  const { database, vault } = await cutOff();
  await database.query("UPDATE vaults SET importing = '/notes'");
  expect(await codeOf(async () => undoAttempt(vault, BATCH))).toBe("busy");
  await database.query("UPDATE vaults SET importing = NULL");
  expect(await undoAttempt(vault, BATCH)).toBeNull();
});

it("somebody else's change in between is a reason, and nothing is touched", async () => {
  const { vault, files } = await cutOff();
  await update(vault, "notes/a.md", "b\n");
  expect(await undoAttempt(vault, BATCH)).toEqual(expect.any(String));
  expect(await files()).toEqual(["notes/a.md"]);
});
