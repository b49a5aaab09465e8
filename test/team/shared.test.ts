import { randomUUID } from "node:crypto";

import { describe, expect, it, onTestFinished } from "vitest";

import { openTeamVault } from "../../src/compose-team.ts";
import { ExpectedError } from "../../src/errors.ts";
import { Notices } from "../../src/storage/postgres/notices.ts";
import type { Postgres } from "../../src/storage/postgres/postgres.ts";
import { VaultEvents, type VaultEvent } from "../../src/storage/postgres/vault-events.ts";
import { PostgresLedger } from "../../src/team/postgres-ledger.ts";
import { TeamSettings } from "../../src/team/team-settings.ts";
import { PrivateFolders } from "../../src/private-folders.ts";
import { create, move, remove, update } from "../../src/testing/suites/changes.ts";
import { describeLedger } from "../../src/testing/suites/ledger-suite.ts";
import { describeEvents } from "../../src/testing/suites/events-suite.ts";
import { describeSessions } from "../../src/testing/suites/sessions-suite.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { runSql } from "./run-sql.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";
import { furnish, indexed, openReplica } from "./team-home.ts";

describe("the ledger in PostgreSQL", () => {
  describeLedger(async () => new PostgresLedger(await teamDatabase(), 1, randomUUID()));

  it("is kept with a change, or not at all", async () => {
    const database = await teamDatabase();
    const [ledger, version] = [
      new PostgresLedger(database, 1, randomUUID()),
      { signature: "s", hash: "h" },
    ];
    const failing = database.transaction(async () => {
      await ledger.saw("a.md", version);
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await ledger.state("a.md", version)).toBe("never");
  });
});

/** A vault in a database of its own, and what another replica hears of it. */
async function heard() {
  const url = await emptyDatabase();
  const database = await teamDatabase({ url });
  const row = await makeVaultRow(database, "heard");
  const options = { database, row, now: () => new Date(), policy: () => "none" as const };
  const { vault } = await openTeamVault(options);
  const notices = new Notices(url);
  await notices.start();
  onTestFinished(async () => notices.close());
  const other = await teamDatabase({ url });
  const events = new VaultEvents({ database: other, vault: row.id, notices });
  await events.start();
  onTestFinished(async () => events.close());
  const told: VaultEvent[] = [];
  events.onEvent((event) => told.push(event));
  return { url, database, row, vault, notices, other, events, told };
}

describe("what happens in a vault, as another replica hears it", () => {
  describeEvents(async () => {
    const { vault, events } = await heard();
    return { vault, onEvent: (listener) => events.onEvent(listener) };
  });
});

describe("MCP sessions that two replicas share", () => {
  describeSessions(async () => {
    const url = await emptyDatabase();
    await furnish(url, { "a.md": "The pump\n" });
    await indexed(url);
    const replicas = [await openReplica(url), await openReplica(url)];
    let turn = 0;
    return {
      // As a proxy that sends each request to the next one.
      fetch: async (profile, init) => {
        turn += 1;
        const replica = replicas[turn % replicas.length];
        if (replica === undefined) throw new Error("no replica");
        return replica.fetch(new Request(`http://x/mcp/${profile}`, init));
      },
    };
  });
});

describe("what happens in a vault", () => {
  it("is heard by another replica, each change once and in order", async () => {
    const { vault, told } = await heard();
    await create(vault, "d/a.md", "1\n");
    await create(vault, "d/b.png", "1\n");
    await update(vault, "d/a.md", "2\n");
    await move(vault, "d", "e");
    await remove(vault, "e/a.md");
    await expect.poll(() => told.length).toBe(5);
    const sorted = told.map(({ changed, created, gone }) => ({
      changed: changed.toSorted(),
      created: created.toSorted(),
      gone: gone.toSorted(),
    }));
    const numbers = told.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(sorted).toMatchObject([
      { changed: ["d/a.md"], created: ["d/a.md"], gone: [] },
      { changed: ["d/b.png"], created: ["d/b.png"], gone: [] },
      { changed: ["d/a.md"], created: [], gone: [] },
      { changed: ["e/a.md", "e/b.png"], gone: ["d/a.md", "d/b.png"] },
      { changed: [], created: [], gone: ["e/a.md"] },
    ]);
  });

  it("is told only when it is known what is private now", async () => {
    const { vault, other, row, notices } = await heard();
    const known = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const events = new VaultEvents({
      database: other,
      vault: row.id,
      notices,
      settled: async () => {
        asked.resolve();
        return known.promise;
      },
    });
    await events.start();
    onTestFinished(async () => events.close());
    const told: string[] = [];
    events.onEvent(({ changed }) => told.push(...changed));
    await create(vault, "a.md", "1\n");
    await asked.promise;
    expect(told).toEqual([]);
    known.resolve();
    await expect.poll(() => told).toEqual(["a.md"]);
  });

  it("is not told of a change that was not made", async () => {
    const { vault, told } = await heard();
    await expect(
      vault.change({ actor: "test", call: "test", batch: null }, async () => {
        throw new Error("on purpose");
      }),
    ).rejects.toThrow("on purpose");
    await create(vault, "after.md", "1\n");
    await expect.poll(() => told).toMatchObject([{ changed: ["after.md"] }]);
  });

  it("is heard after the connection was lost, also what happened meanwhile", async () => {
    const { vault, told, url, notices } = await heard();
    await create(vault, "before.md", "1\n");
    await expect.poll(() => told.length).toBe(1);
    await runSql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coffre notices' AND datname = current_database()",
      url,
    );
    await expect.poll(() => notices.isListening).toBe(false);
    await create(vault, "meanwhile.md", "1\n");
    await expect.poll(() => told.length, { timeout: 20_000 }).toBe(2);
    await create(vault, "after.md", "1\n");
    await expect.poll(() => told.at(-1)?.changed, { timeout: 20_000 }).toEqual(["after.md"]);
    expect(told).toHaveLength(3);
  });
});

/** A database whose connections are all in use while notices, on a connection of their own, still come through; and how often it was asked. */
function crowded(database: Postgres) {
  const state = { isFull: false, refused: 0 };
  const of: Pick<Postgres, "query" | "one" | "execute" | "transaction" | "afterCommit"> = {
    one: async (...given) => database.one(...given),
    execute: async (...given) => database.execute(...given),
    transaction: async (work) => database.transaction(work),
    afterCommit: (listener) => database.afterCommit(listener),
    query: async (...given) => {
      if (!state.isFull) return database.query(...given);
      state.refused += 1;
      throw new ExpectedError("busy", "All connections to the database are in use.");
    },
  };
  return { of, state };
}

describe("what cannot be read when it is told, because all connections are in use", () => {
  it("is read later, also when nothing else changes", async () => {
    const { vault, database, row, notices } = await heard();
    const { of, state } = crowded(database);
    const events = new VaultEvents({ database: of, vault: row.id, notices });
    await events.start();
    onTestFinished(async () => events.close());
    const told: VaultEvent[] = [];
    events.onEvent((event) => told.push(event));
    state.isFull = true;
    await create(vault, "a.md", "1\n");
    await expect.poll(() => state.refused, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(told).toEqual([]);
    state.isFull = false;
    await expect.poll(() => told, { timeout: 60_000 }).toMatchObject([{ changed: ["a.md"] }]);
  });

  it("also when it is a setting: what is private now", async () => {
    const { vault, database, other, notices, row } = await heard();
    const { of, state } = crowded(database);
    const onBug = (error: unknown): void => expect.fail(String(error));
    const common = { vault: row.id, notices, onBug };
    const [there, here] = [
      new TeamSettings({ ...common, database: of }),
      new TeamSettings({ ...common, database: other }),
    ];
    for (const settings of [there, here]) {
      await settings.load();
      onTestFinished(() => settings.close());
    }
    const [seen, made] = [new PrivateFolders(there), new PrivateFolders(here)];
    there.onLoad(() => seen.load());
    state.isFull = true;
    await create(vault, "journal/a.md", "1\n");
    await made.add("vault/journal", vault);
    await expect.poll(() => state.refused, { timeout: 60_000 }).toBeGreaterThan(1);
    state.isFull = false;
    await expect.poll(() => seen.paths, { timeout: 60_000 }).toEqual(["journal"]);
  });
});
