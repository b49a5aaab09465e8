import { randomBytes } from "node:crypto";

import { expect, it, vi } from "vitest";

import { PostgresHistory } from "../../src/vault/postgres/postgres-history.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { describeHistory } from "../../src/testing/suites/history-suite.ts";
import { teamDatabase } from "./team-database.ts";

describeHistory(
  () => `vault-${randomBytes(6).toString("hex")}`,
  async (name) => {
    const database = await teamDatabase();
    return new PostgresHistory(database, await makeVaultRow(database, name));
  },
);

it("one entry is read without the undos of all others", async () => {
  const database = await teamDatabase();
  const row = await makeVaultRow(database, `vault-${randomBytes(6).toString("hex")}`);
  const history = new PostgresHistory(database, row);
  const record = async (id: string, undoes: string | null, batch: string | null = null) =>
    history.record(
      {
        id,
        at: new Date(0),
        author: { actor: "test", call: "write", batch, ...(undoes === null ? {} : { undoes }) },
      },
      (keep) => ({
        kind: "create",
        path: `${id}.md`,
        after: keep([Buffer.from(id)]),
        version: { signature: id, hash: null },
        madeFolders: [],
      }),
    );
  for (let at = 0; at < 30; at += 1) {
    await record(`e${at}`, null, `b${at}`);
    await record(`u${at}`, at % 2 === 0 ? `e${at}` : `b${at}`);
  }
  await record("again", "u4");
  const query = vi.spyOn(database, "query");
  // An undo that was undone does not stand.
  const undone = await Promise.all(
    ["e3", "e4", "e5"].map(async (id) => (await history.entry(id))?.undoneBy),
  );
  expect(undone).toEqual(["u3", null, "u5"]);
  const answers = await Promise.all(query.mock.results.map(async ({ value }) => value));
  query.mockRestore();
  for (const rows of answers) expect(rows.length).toBeLessThan(3);
});
