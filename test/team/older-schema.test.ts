import { Client } from "pg";
import { expect, it } from "vitest";

import { openTeamVault } from "../../src/compose-team.ts";
import { createTeamIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import { migrate } from "../../src/storage/postgres/migrate.ts";
import type { Row } from "../../src/storage/postgres/postgres.ts";
import { MIGRATIONS } from "../../src/storage/postgres/schema.ts";
import { create, move, remove, undo, update } from "../../src/testing/suites/changes.ts";
import { places } from "../../src/testing/suites/search-index-suite.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import type { Vault } from "../../src/vault/vault.ts";
import { indexContents } from "./index-contents.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

const NAME = "old";
const TABLES = `SELECT c.table_name AS name, json_agg(c.column_name ORDER BY c.ordinal_position) AS columns, json_agg(c.column_name) FILTER (WHERE c.is_identity = 'YES') AS numbered
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'coffre_schema' GROUP BY c.table_name`;

async function connected<T>(
  url: string,
  work: (run: (sql: string, values?: readonly unknown[]) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (sql, values = []) => {
      // Several statements in one are sent without values.
      if (values.length === 0) return (await client.query<Row>(sql)).rows ?? [];
      return (await client.query<Row>(sql, [...values])).rows;
    });
  } finally {
    await client.end();
  }
}

/** A database as a release with so many migrations left it, with the rows of another one as far as it has their columns. */
async function olderDatabase(version: number, from: string): Promise<string> {
  const url = await emptyDatabase();
  await connected(url, async (run) => {
    await migrate(
      {
        query: run,
        transaction: async (work) => {
          await run("BEGIN");
          const done = await work();
          await run("COMMIT");
          return done;
        },
      },
      MIGRATIONS.slice(0, version),
    );
    await run("SET session_replication_role = replica");
    for (const { name: table, columns, numbered } of await run(TABLES)) {
      const name = String(table);
      const own = columnsOf(columns);
      const rows = await connected(from, async (ask) => ask(`SELECT ${own} FROM ${name}`));
      const values = `SELECT ${own} FROM json_populate_recordset(NULL::${name}, $1)`;
      const insert = `INSERT INTO ${name} (${own}) OVERRIDING SYSTEM VALUE ${values}`;
      await run(insert, [JSON.stringify(rows.map(asJson))]);
      for (const column of Array.isArray(numbered) ? numbered.map(String) : [])
        await run(
          `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), (SELECT coalesce(max(${column}), 0) + 1 FROM ${name}))`,
        );
    }
  });
  return url;
}

function columnsOf(columns: unknown): string {
  const names = Array.isArray(columns) ? columns.map(String) : [];
  return names.map((each) => `"${each}"`).join(", ");
}

/** As PostgreSQL reads it. */
function asJson(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value,
    ]),
  );
}

async function textsOf(vault: Vault): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { path } of vault.walk(""))
    texts[path] = (await vault.readBytes(path, 100_000)).bytes.toString();
  return texts;
}

async function opened(url: string) {
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, NAME);
  const now = (): Date => new Date(2026, 10, 18, 12, 0, 0);
  return { database, ...(await openTeamVault({ database, row, now, policy: () => "all" })) };
}

it.each(MIGRATIONS.map((_, at) => at).slice(1))(
  "a database of schema %i is brought up to date with all that is in it",
  async (version) => {
    const newest = await emptyDatabase();
    const { vault, database } = await opened(newest);
    await create(vault, "d/a.md", "# Pompe\n\nla pompe de la cave [[b]] #maison\n");
    const second = await update(vault, "d/a.md", "# Pompe\n\nla pompe du toit [[b]] #maison\n");
    await create(vault, "image.bin", Buffer.from([0, 255, 1]));
    await create(vault, "gone.md", "gone\n");
    const removed = await remove(vault, "gone.md");
    await move(vault, "d", "e");
    await database.execute(
      "INSERT INTO updates (vault, id, status, input, created) SELECT id, 'u1', 'failed', '{}', 1 FROM vaults",
    );
    const url = await olderDatabase(version, newest);
    const old = await opened(url);
    expect(await textsOf(old.vault)).toEqual(await textsOf(vault));
    const all = { path: null, limit: 100 };
    expect(await old.vault.log(all)).toEqual(await vault.log(all));
    expect(await places(old.index, "pompe")).toHaveLength(1);
    await undo(old.vault, removed);
    await undo(old.vault, second, { force: true });
    expect((await textsOf(old.vault))["gone.md"]).toContain("gone");
    const fresh = await makeVaultRow(old.database, "fresh");
    await fillIndex(old.vault, await createTeamIndex(old.database, fresh));
    expect(await indexContents(url, NAME)).toEqual(await indexContents(url, "fresh"));
    // The queue of updates came with the third.
    const updates = await old.database.query("SELECT id FROM updates");
    expect(updates).toEqual(version < 3 ? [] : [{ id: "u1" }]);
  },
);
