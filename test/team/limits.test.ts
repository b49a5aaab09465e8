import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { codeOf, refusalOf } from "../../src/testing/expected-error.ts";
import { create, update } from "../../src/testing/suites/changes.ts";
import type { Postgres, PostgresOptions } from "../../src/storage/postgres/postgres.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

async function open(options: Partial<PostgresOptions>, url?: string): Promise<Postgres> {
  return teamDatabase({ url: url ?? (await emptyDatabase()), ...options });
}

/** Keeps a connection, in a transaction, until the function it resolves to is called. */
async function occupy(database: Postgres, sql = "SELECT 1"): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const work = database.transaction(async () => {
    await database.query(sql);
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  return async () => {
    over.resolve();
    await work;
  };
}

async function vaultIn(database: Postgres, name: string): Promise<PostgresVault> {
  return new PostgresVault({ database, row: await makeVaultRow(database, name) });
}

describe("when all connections are in use", () => {
  it("a call waits for one, and is refused when none is given back in time", async () => {
    const database = await open({ connections: 2, connectTimeout: 1000 });
    const [first, second] = [await occupy(database), await occupy(database)];
    const waiting = database.one("SELECT 1 AS one");
    expect(database.connections).toMatchObject({ total: 2, idle: 0, waiting: 1 });
    await first();
    expect(await waiting).toEqual({ one: 1 });
    const third = await occupy(database);
    const refused = await refusalOf(async () => database.query("SELECT 1"));
    expect([refused?.code, refused?.message]).toEqual([
      "busy",
      expect.stringContaining("All connections to the database are in use"),
    ]);
    await third();
    await second();
    expect(await database.one("SELECT 2 AS two")).toEqual({ two: 2 });
  });

  it("a change of which nothing was begun is refused as a whole, and can be made again", async () => {
    const database = await open({ connections: 2, connectTimeout: 500 });
    const vault = await vaultIn(database, "house");
    const free = [await occupy(database), await occupy(database)];
    expect(await codeOf(async () => create(vault, "a.md", "a\n"))).toBe("busy");
    for (const each of free) await each();
    await create(vault, "a.md", "a\n");
    expect(await vault.log({ path: null, limit: 10 })).toHaveLength(1);
  });
});

describe("one vault", () => {
  it("whose changes wait for a lock takes one connection, however many there are", async () => {
    const url = await emptyDatabase();
    const database = await open({ connections: 3 }, url);
    const [busy, other] = [await vaultIn(database, "busy"), await vaultIn(database, "other")];
    await create(busy, "a.md", "");
    const outside = await open({ connections: 1 }, url);
    const unlock = await occupy(outside, "SELECT 1 FROM vaults WHERE name = 'busy' FOR UPDATE");
    const changes = Array.from({ length: 50 }, async (_, at) => create(busy, `${at}.md`, "x"));
    await create(other, "a.md", "a\n");
    for (let at = 0; at < 10; at += 1) await update(other, "a.md", `${at}\n`);
    expect((await busy.log({ path: null, limit: 100 })).length).toBe(1);
    await unlock();
    await Promise.all(changes);
    expect(await busy.log({ path: null, limit: 100 })).toHaveLength(51);
  });

  it("whose searches are slow leaves connections to others, and its own calls wait in line", async () => {
    const database = await open({ connections: 5, connectTimeout: 1000 });
    const share = database.share(0.6);
    const occupied = await Promise.all([occupy(share), occupy(share), occupy(share)]);
    const waiting = refusalOf(async () => share.query("SELECT 1"));
    expect(share.connections.waiting).toBe(1);
    const other = database.share(0.6);
    expect(await other.one("SELECT 1 AS one")).toEqual({ one: 1 });
    expect((await waiting)?.code).toBe("busy");
    const later = share.one("SELECT 2 AS two");
    await occupied[0]?.();
    expect(await later).toEqual({ two: 2 });
    for (const each of occupied.slice(1)) await each();
    // Whoever was refused took nobody's place.
    const again = await Promise.all([occupy(share), occupy(share), occupy(share)]);
    for (const each of again) await each();
  });

  it("has one transaction with all that use a share of its connections", async () => {
    const database = await open({ connections: 2, connectTimeout: 500 });
    const share = database.share(0.5);
    await database.query("CREATE TABLE t (n integer)");
    const failing = share.transaction(async () => {
      await share.query("INSERT INTO t VALUES (1)");
      await database.query("INSERT INTO t VALUES (2)");
      expect(await database.query("SELECT n FROM t ORDER BY n")).toEqual([{ n: 1 }, { n: 2 }]);
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await database.query("SELECT n FROM t")).toEqual([]);
  });
});

describe("time", () => {
  it("of waiting for another change is bounded", async () => {
    const url = await emptyDatabase();
    const database = await open({ lockTimeout: 200 }, url);
    const vault = await vaultIn(database, "house");
    const outside = await open({ connections: 1 }, url);
    const unlock = await occupy(outside, "SELECT 1 FROM vaults FOR UPDATE");
    const refused = await refusalOf(async () => create(vault, "a.md", "a\n"));
    expect([refused?.code, refused?.message]).toEqual([
      "busy",
      expect.stringContaining("Somebody else is changing this vault"),
    ]);
    await unlock();
    await create(vault, "a.md", "a\n");
  });

  it("of a change that does nothing is bounded, and it holds the vault no longer", async () => {
    const database = await open({ idleTimeout: 300 });
    const vault = await vaultIn(database, "house");
    const refused = await codeOf(async () =>
      vault.change({ actor: "test", call: "write", batch: null }, async ({ writer }) => {
        await writer.create("a.md", Buffer.from("a\n"));
        await pause(5000);
        await writer.create("b.md", Buffer.from("b\n"));
      }),
    );
    expect(["busy", "unavailable"]).toContain(refused);
    await create(vault, "c.md", "c\n");
    expect(await Array.fromAsync(vault.walk(""), ({ path }) => path)).toEqual(["c.md"]);
  });
});
