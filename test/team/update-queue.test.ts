import { expect, beforeAll, describe, it, onTestFinished } from "vitest";

import { PostgresUpdateQueue } from "../../src/agents/queue/postgres-update-queue.ts";
import type { QueueWork, UpdateQueue } from "../../src/agents/queue/update-queue.ts";
import { explainPostgres } from "../../src/storage/postgres/explain-postgres.ts";
import { Notices } from "../../src/storage/postgres/notices.ts";
import { openPostgres, type Postgres } from "../../src/storage/postgres/postgres.ts";
import { codeOf } from "../../src/testing/expected-error.ts";
import {
  describeUpdateQueue,
  note,
  reportOf,
} from "../../src/testing/suites/update-queue-suite.ts";
import { newId } from "../../src/vault/history/history.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { emptyDatabase, teamDatabase } from "./team-database.ts";

const PLACES = 60;
const LEASE = 400;

let url = "";
let observer: Postgres;
const places: string[] = [];

beforeAll(async () => {
  url = await emptyDatabase();
  observer = await openPostgres({ url });
  for (let at = 0; at < PLACES; at += 1)
    places.push(String((await makeVaultRow(observer, `queue-${at}`)).id));
  return async () => observer.close();
});

function newPlace(): string {
  const place = places.pop();
  if (place === undefined) throw new Error("more places are needed");
  return place;
}

/** A replica of its own: it dies by losing its connections, and so does not renew what it holds. */
class Replica {
  readonly #database: Promise<Postgres>;
  #isDead = false;

  constructor() {
    this.#database = openPostgres({ url, connections: 4 });
    onTestFinished(async () => this.die());
  }

  async database(): Promise<Postgres> {
    return this.#database;
  }

  async die(): Promise<void> {
    if (this.#isDead) return;
    this.#isDead = true;
    await (await this.#database).close();
  }
}

async function noneHeld(vault: number): Promise<void> {
  await expect
    .poll(
      async () =>
        observer.query("SELECT 1 FROM updates WHERE vault = $1 AND lease >= now()", [vault]),
      { timeout: 30_000, interval: 20 },
    )
    .toEqual([]);
}

describe("the queue in PostgreSQL", () => {
  const before = new Map<string, Replica>();
  describeUpdateQueue(newPlace, (place, work) => {
    const vault = Number(place);
    const [last, replica] = [before.get(place), new Replica()];
    before.set(place, replica);
    const queue = replica
      .database()
      .then((database) => new PostgresUpdateQueue({ ...work, database, vault, lease: LEASE }));
    return {
      add: async (input) => (await queue).add(input),
      get: async (id) => (await queue).get(id),
      list: async (limit) => (await queue).list(limit),
      counts: async () => (await queue).counts(),
      cancel: async (id) => (await queue).cancel(id),
      retry: async (id) => (await queue).retry(id),
      previews: async () => (await queue).previews(),
      propose: async (...given) => (await queue).propose(...given),
      decide: async (...given) => (await queue).decide(...given),
      ended: async (id) => (await queue).ended(id),
      start: async () => {
        // What ran before is dead, and silent for longer than its lease.
        await last?.die();
        await noneHeld(vault);
        await (await queue).start();
      },
      close: async () => (await queue).close(),
    } satisfies UpdateQueue;
  });
});

/** What PostgreSQL answers when another change holds the vault for too long. */
function busy(): unknown {
  return explainPostgres(Object.assign(new Error("lock timeout"), { code: "55P03" }));
}

/** As if the machine of the one that runs an update had slept: the lease ends, and nobody renews it, until the other has looked at what it wrote. */
async function silence(
  vault: number,
  other: PostgresUpdateQueue,
  taken: () => number,
): Promise<void> {
  const [{ runner } = {}] = await observer.query("SELECT runner FROM updates WHERE vault = $1", [
    vault,
  ]);
  await expect
    .poll(
      async () => {
        // What it was told before may make it renew it once more.
        await observer.query(
          "UPDATE updates SET lease = now() - interval '1 second' WHERE vault = $1 AND runner = $2",
          [vault, runner],
        );
        other.wake();
        return taken();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
}

/** Two queues of one vault, in replicas that hear each other. */
async function twoQueues(work: (name: "a" | "b") => Partial<QueueWork>, lease = LEASE) {
  const vault = Number(newPlace());
  const open = async (name: "a" | "b") => {
    const database = await teamDatabase({ url, connections: 4 });
    const notices = new Notices(url);
    await notices.start();
    onTestFinished(async () => notices.close());
    const queue = new PostgresUpdateQueue({
      now: () => new Date(),
      run: async ({ content }) => reportOf(content),
      takeBack: async () => null,
      giveUp: async (_, batch, reason) => reportOf(reason, "inbox", batch),
      onChange: () => {},
      onBug: () => {},
      ...work(name),
      database,
      notices,
      vault,
      lease,
    });
    await queue.start();
    onTestFinished(async () => queue.close());
    return queue;
  };
  return { a: await open("a"), b: await open("b"), vault };
}

describe("two replicas with one queue", () => {
  it("run each update once, in order, never two at a time", async () => {
    const runs: string[] = [];
    let [now, most] = [0, 0];
    const { a, b } = await twoQueues(() => ({
      run: async ({ content }) => {
        now += 1;
        most = Math.max(most, now);
        await observer.query("SELECT pg_sleep(0.005)");
        runs.push(content);
        now -= 1;
        return reportOf(content);
      },
    }));
    const ids: string[] = [];
    for (let at = 0; at < 30; at += 1)
      ids.push((await (at % 2 === 0 ? a : b).add(note(String(at)))).id);
    for (const id of ids) expect((await b.ended(id)).status).toBe("done");
    expect(runs).toEqual(ids.map((_, at) => String(at)));
    expect(most).toBe(1);
  });

  it("tell each other of every change", async () => {
    const told: string[] = [];
    const { a } = await twoQueues((name) => ({
      run: async ({ content }) => reportOf(`${content} by ${name}`),
      onChange: ({ input, status }) => {
        if (name === "b") told.push(`${input.content} ${status}`);
      },
    }));
    await a.ended((await a.add(note("x"))).id);
    await expect.poll(() => told.at(-1)).toBe("x done");
  });

  it("cancel what the other one runs", async () => {
    const started = Promise.withResolvers<"a" | "b">();
    const { a, b } = await twoQueues((name) => ({
      run: async (_, { signal }) => {
        started.resolve(name);
        return new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    }));
    const { id } = await a.add(note("long"));
    const other = (await started.promise) === "a" ? b : a;
    expect(await other.cancel(id)).toMatchObject({
      status: "cancelled",
      error: "It was cancelled.",
    });
  });

  it("begin an update again whose database was away meanwhile, after what it wrote is undone", async () => {
    const taken: string[] = [];
    let runs = 0;
    const { a } = await twoQueues(() => ({
      takeBack: async (batch) => {
        taken.push(batch);
        return null;
      },
      run: async ({ content }) => {
        runs += 1;
        if (runs > 1) return reportOf(content);
        const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
        throw explainPostgres(cause);
      },
    }));
    const { id } = await a.add(note("x"));
    expect(await a.ended(id)).toMatchObject({ status: "done", attempts: 2 });
    expect(taken).toEqual([`${id}-1`]);
  });

  it("begin an update again that a busy vault refused, and do not count that as a crash", async () => {
    const taken: string[] = [];
    let runs = 0;
    const { a } = await twoQueues(() => ({
      takeBack: async (batch) => {
        taken.push(batch);
        // Two attempts to take it back find the vault busy, too.
        if (taken.length < 3) throw busy();
        return null;
      },
      giveUp: async () => expect.fail("it was given up"),
      run: async ({ content }) => {
        runs += 1;
        if (runs > 1) return reportOf(content);
        throw busy();
      },
    }));
    const { id } = await a.add(note("x"));
    expect(await a.ended(id)).toMatchObject({ status: "done", attempts: 2, crashes: 0 });
    expect(taken).toEqual([`${id}-1`, `${id}-1`, `${id}-1`]);
  });

  it("take back what a cancelled update wrote as soon as the vault is not busy any more", async () => {
    const started = Promise.withResolvers<void>();
    let taken = 0;
    const { a } = await twoQueues(() => ({
      takeBack: async () => {
        taken += 1;
        if (taken < 2) throw busy();
        return null;
      },
      run: async (_, { signal }) => {
        started.resolve();
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
        // It could not undo it itself.
        throw busy();
      },
    }));
    const { id } = await a.add(note("x"));
    await started.promise;
    expect(await a.cancel(id)).toMatchObject({ status: "cancelled", attempts: 1 });
    expect(taken).toBe(2);
  });

  it("count no crash when the lease ended while the database was away", async () => {
    const { a, b, vault } = await twoQueues(
      () => ({
        run: async (_, { signal }) =>
          new Promise<never>((_resolve, reject) => {
            // It may be closed already when it is begun.
            signal.throwIfAborted();
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      }),
      60_000,
    );
    const { id } = await a.add(note("x"));
    await expect.poll(async () => (await b.get(id)).status).toBe("running");
    await observer.query(
      "UPDATE updates SET crashes = 2, lease = pg_postmaster_start_time() - interval '1 second', runner = 'gone' WHERE vault = $1",
      [vault],
    );
    for (const queue of [a, b]) queue.wake();
    await expect.poll(async () => (await b.get(id)).attempts, { timeout: 20_000 }).toBe(2);
    expect(await b.get(id)).toMatchObject({ status: "running", crashes: 2 });
  });

  it("leave updates waiting while a folder is imported into the vault", async () => {
    const runs: string[] = [];
    const { a, vault } = await twoQueues(() => ({
      run: async ({ content }) => {
        runs.push(content);
        return reportOf(content);
      },
    }));
    const importing = async (folder: string | null): Promise<unknown> =>
      observer.query("UPDATE vaults SET importing = $2 WHERE id = $1", [vault, folder]);
    await importing("/notes");
    const { id } = await a.add(note("x"));
    // What is added next is added after the queue has looked for what to run.
    await a.add(note("y"));
    await a.add(note("z"));
    expect([(await a.get(id)).status, runs]).toEqual(["waiting", []]);
    await importing(null);
    a.wake();
    expect((await a.ended(id)).status).toBe("done");
  });

  it("let one that was silent for too long change nothing any more", async () => {
    const held = Promise.withResolvers<string>();
    const go = Promise.withResolvers<void>();
    const taken: string[] = [];
    const runs: string[] = [];
    const { a, b, vault } = await twoQueues(
      (name) => ({
        takeBack: async (batch) => {
          taken.push(batch);
          return null;
        },
        run: async (_, { batch }) => {
          runs.push(name);
          if (runs.length > 1) return reportOf(`by ${name}`);
          held.resolve(batch);
          await go.promise;
          return reportOf("too late");
        },
      }),
      60_000,
    );
    const { id } = await a.add(note("x"));
    const batch = await held.promise;
    const [holder, other] = runs[0] === "a" ? [a, b] : [b, a];
    await holder.checkOwn(batch);
    await silence(vault, other, () => taken.length);
    expect((await other.ended(id)).report?.text).not.toBe("too late");
    expect(taken).toEqual([batch]);
    expect(await codeOf(async () => holder.checkOwn(batch))).toBe("conflict");
    go.resolve();
    await holder.close();
    expect(await other.get(id)).toMatchObject({ status: "done", attempts: 2, crashes: 1 });
    expect((await other.get(id)).report?.text).not.toBe("too late");
  });

  it.each([
    { after: "it was given up", reason: null, status: "failed" },
    { after: "its text was put into the inbox", reason: "somebody wrote there", status: "parked" },
  ])(
    "let one that was silent for too long change nothing after $after",
    async ({ reason, status }) => {
      const held = Promise.withResolvers<string>();
      const go = Promise.withResolvers<void>();
      const taken: string[] = [];
      const runs: string[] = [];
      const { a, b, vault } = await twoQueues(
        (name) => ({
          takeBack: async (batch) => {
            taken.push(batch);
            return reason;
          },
          run: async (_, { batch }) => {
            runs.push(name);
            held.resolve(batch);
            await go.promise;
            return reportOf("too late");
          },
        }),
        60_000,
      );
      const { id } = await a.add(note("x"));
      const batch = await held.promise;
      const [holder, other] = runs[0] === "a" ? [a, b] : [b, a];
      for (const own of [batch, `${batch}-inbox`]) await holder.checkOwn(own);
      // As if this were its third attempt.
      await observer.query("UPDATE updates SET crashes = 2 WHERE vault = $1", [vault]);
      await silence(vault, other, () => taken.length);
      expect((await other.ended(id)).status).toBe(status);
      // What the agent writes, and what it would put into the inbox when that is refused.
      for (const own of [batch, `${batch}-inbox`])
        for (const queue of [holder, other])
          expect(await codeOf(async () => queue.checkOwn(own))).toBe("conflict");
      go.resolve();
      await holder.close();
      expect(await other.get(id)).toMatchObject({ status, attempts: 1 });
      expect(runs).toHaveLength(1);
    },
  );

  it("let batches change something that are no attempt of an update", async () => {
    const { a } = await twoQueues(() => ({}));
    const { id } = await a.ended((await a.add(note("x"))).id);
    for (const batch of [newId(new Date()), `${id}-yes`, "tidy"])
      expect(await codeOf(async () => a.checkOwn(batch))).toBe("done");
  });
});
