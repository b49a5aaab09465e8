import { expect, it } from "vitest";

import { loadPg } from "../../src/storage/postgres/load-pg.ts";
import { MIGRATIONS } from "../../src/storage/postgres/schema.ts";
import { refusalOf } from "../../src/testing/expected-error.ts";
import { asOwner, emptyDatabase, teamDatabase } from "./team-database.ts";

const insert = (name: string): string => `INSERT INTO vaults (name) VALUES ('${name}')`;
const NAMES = "SELECT name FROM vaults ORDER BY name";

it("names the command that installs its driver when that is missing", async () => {
  const missing = Object.assign(new Error("Cannot find package 'pg'"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const refused = await refusalOf(async () => loadPg(async () => Promise.reject(missing)));
  expect(refused?.code).toBe("unavailable");
  expect(refused?.message).toContain("npm install pg@8");
});

it("migrates once, however many processes start at the same time", async () => {
  const url = await emptyDatabase();
  await Promise.all(Array.from({ length: 6 }, async () => teamDatabase({ url })));
  const versions = await asOwner("SELECT version FROM coffre_schema ORDER BY version", url);
  expect(versions).toEqual(MIGRATIONS.map((_, at) => ({ version: at + 1 })));
});

it("refuses a database of a newer release, and does not change it", async () => {
  const url = await emptyDatabase();
  await teamDatabase({ url });
  await asOwner("INSERT INTO coffre_schema (version) VALUES (99)", url);
  const refused = await refusalOf(async () => teamDatabase({ url }));
  expect(refused?.code).toBe("unavailable");
  expect(refused?.message).toContain(`schema 99, this one knows ${MIGRATIONS.length}`);
});

it("says what is wrong when the database cannot be reached or is not there", async () => {
  const url = new URL(await emptyDatabase());
  url.pathname = "/nowhere";
  const missing = await refusalOf(async () => teamDatabase({ url: url.href }));
  expect(missing?.code).toBe("unavailable");
  const nobody = "postgres://postgres@localhost/x?host=/nonexistent";
  expect((await refusalOf(async () => teamDatabase({ url: nobody })))?.code).toBe("unavailable");
});

it("reports nothing as kept when a statement failed and the work went on", async () => {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const refused = await refusalOf(async () =>
    database.transaction(async () => {
      await database.query(insert("a"));
      await database.query("SELECT 1 / 0").catch(() => {});
    }),
  );
  expect(refused?.code).toBe("unavailable");
  expect(await database.query(NAMES)).toEqual([]);
});

it("does not take for its own what comes after its end", async () => {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  const failing = database.transaction(async () => {
    late = over.then(async () => database.transaction(async () => database.query(insert("late"))));
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  end();
  await late;
  expect(await database.query(NAMES)).toEqual([{ name: "late" }]);
});

it("keeps all of a transaction or nothing, and of its parts those that did not fail", async () => {
  const database = await teamDatabase({ url: await emptyDatabase() });
  const failing = database.transaction(async () => {
    await database.query(insert("lost"));
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  await database.transaction(async () => {
    await database.query(insert("a"));
    const part = database.transaction(async () => {
      await database.query(insert("b"));
      await database.query(insert("a"));
    });
    await expect(part).rejects.toThrow(/duplicate/u);
    await Promise.all(
      ["c", "d"].map(async (name) =>
        database.transaction(async () => database.query(insert(name))),
      ),
    );
    expect(await database.query(NAMES)).toHaveLength(3);
  });
  expect(await database.query(NAMES)).toEqual([{ name: "a" }, { name: "c" }, { name: "d" }]);
});

it("goes on after its connections were ended, also one in the middle of a transaction", async () => {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url, connections: 2 });
  const kill =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()";
  const refused = await refusalOf(async () =>
    database.transaction(async () => {
      await database.query(insert("a"));
      await asOwner(kill, url);
      await database.query(NAMES);
    }),
  );
  expect(refused?.code).toBe("unavailable");
  await asOwner(kill, url);
  await expect.poll(async () => database.query(NAMES).catch(() => null)).toEqual([]);
  await database.transaction(async () => database.query(insert("b")));
  expect(await database.query(NAMES)).toEqual([{ name: "b" }]);
});

it("gives up a statement that takes too long, and waits for a lock only so long", async () => {
  const url = await emptyDatabase();
  const slow = await teamDatabase({ url, statementTimeout: 50 });
  expect((await refusalOf(async () => slow.query("SELECT pg_sleep(20)")))?.code).toBe("busy");
  const [first, second] = [
    await teamDatabase({ url }),
    await teamDatabase({ url, lockTimeout: 50 }),
  ];
  await first.query(insert("a"));
  const lock = "SELECT 1 FROM vaults WHERE name = 'a' FOR UPDATE";
  await first.transaction(async () => {
    await first.query(lock);
    expect((await refusalOf(async () => second.query(lock)))?.code).toBe("busy");
  });
});
