import { expect, it } from "vitest";

import { MemoryIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import { VisibleIndex } from "../../src/index/visible-index.ts";
import { PersonVault } from "../../src/team/rights/person-vault.ts";
import { Rights } from "../../src/team/rights/rights.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { privateFilter } from "../../src/vault/visible/read-filter.ts";
import { VisibleVault } from "../../src/vault/visible/visible-vault.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";
import { fill } from "./team-vault.ts";

it("what a search finds for a model is judged in one question, by what each note said when it was written", async () => {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const row = await makeVaultRow(database, "house");
  const notes = Array.from({ length: 30 }, (_, at) => [`n/${at}.md`, `The kiln, ${at}.\n`]);
  const secret = "---\nprivate: true\n---\nThe kiln, hidden.\n";
  await fill(database, row, {
    ...Object.fromEntries(notes),
    "journal/a.md": "The kiln in a private folder.\n",
    "secret.md": secret,
    "later.md": "The kiln, later.\n",
    "draft.txt": secret,
  });
  const whole = new PostgresVault({ database, row });
  const rights = new Rights([{ folder: "", role: "owner" }]);
  const gate = new VisibleVault(
    new PersonVault({ vault: whole, rights }),
    privateFilter(() => ["journal"]),
  );
  const index = new MemoryIndex();
  const seen = new VisibleIndex(index, gate);
  const found = async (): Promise<string[]> => {
    await fillIndex(whole, index);
    const request = { queries: ["kiln"], mode: "fast", scope: null, limit: 51 } as const;
    const { hits } = await seen.search({ ...request, from: null, to: null });
    return hits.map(({ path }) => path).toSorted();
  };
  const all = notes.map(([path = ""]) => path);
  expect(await found()).toEqual([...all, "later.md"].toSorted());

  const asked: string[] = [];
  const query = database.query.bind(database);
  database.query = async (sql, values) => {
    asked.push(sql);
    return query(sql, values);
  };
  const request = { queries: ["kiln"], mode: "fast", scope: null, limit: 51 } as const;
  await seen.search({ ...request, from: null, to: null });
  database.query = query;
  expect(asked).toHaveLength(1);

  // Written anew, and called a note from now on.
  await fill(database, row, { "later.md": secret });
  await whole.change({ actor: "test", call: "move", batch: null }, async ({ writer }) =>
    writer.move("draft.txt", "draft.md"),
  );
  expect(await found()).toEqual(all.toSorted());
  // As files are that were written before it was kept.
  await database.execute("UPDATE tree SET is_private = NULL");
  expect(await found()).toEqual(all.toSorted());
  for (const path of ["secret.md", "later.md", "draft.md", "journal/a.md"])
    expect(await gate.find(path)).toEqual({ kind: "missing" });
});
