import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createTeamIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import { openPostgres } from "../../src/storage/postgres/postgres.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { indexContents } from "./index-contents.ts";
import { PostgresServer } from "./postgres-server.ts";

const KILLS = 10;
const STOPS = 2;
/** Lines that are acknowledged before the next blow. */
const LINES = 15;
const PROGRAM = path.join(import.meta.dirname, "append-process.ts");

/** A process that writes, and what it was told is kept. */
class Replica {
  readonly acknowledged: string[] = [];
  readonly process: ChildProcess;
  #rest = "";

  constructor(url: string, name: string) {
    this.process = spawn(process.execPath, [PROGRAM, url, "shared", name], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.process.stdout?.on("data", (data: Buffer) => {
      const lines = (this.#rest + data.toString()).split("\n");
      this.#rest = lines.pop() ?? "";
      this.acknowledged.push(...lines);
    });
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }
}

it("what was acknowledged is there, whichever replica is killed and however the database stops", async () => {
  const server = new PostgresServer([]);
  onTestFinished(async () => server.remove());
  await server.start();
  const url = server.url("postgres");
  const all: Replica[] = [];
  const start = (): Replica => {
    const replica = new Replica(url, `r${all.length}`);
    all.push(replica);
    onTestFinished(() => void replica.process.kill("SIGKILL"));
    return replica;
  };
  const acknowledged = (): string[] => all.flatMap((each) => each.acknowledged);
  /** Both must write on: so the survivor does. */
  const progress = async (replicas: readonly Replica[]): Promise<void> => {
    const before = replicas.map((each) => each.acknowledged.length);
    await expect
      .poll(
        () => replicas.every((each, at) => each.acknowledged.length >= (before[at] ?? 0) + LINES),
        {
          timeout: 120_000,
        },
      )
      .toBe(true);
  };
  let replicas: [Replica, Replica] = [start(), start()];
  await progress(replicas);
  for (let blow = 0; blow < KILLS + STOPS; blow += 1) {
    if (blow % (KILLS / STOPS + 1) === KILLS / STOPS) {
      await server.stop("immediate");
      await server.start();
    } else {
      await replicas[0].kill();
      replicas = [replicas[1], start()];
    }
    await progress(replicas);
  }
  for (const replica of replicas) await replica.kill();

  const database = await openPostgres({ url });
  onTestFinished(async () => database.close());
  const vault = new PostgresVault({ database, row: await makeVaultRow(database, "shared") });
  const lines: string[] = [];
  for await (const { path: note } of vault.walk("")) {
    const { bytes } = await vault.readBytes(note, 10_000_000);
    lines.push(...bytes.toString().trimEnd().split("\n"));
  }
  expect(new Set(lines).size).toBe(lines.length);
  const kept = new Set(lines);
  expect(acknowledged().filter((line) => !kept.has(line))).toEqual([]);
  expect(acknowledged().length).toBeGreaterThan(KILLS * LINES);

  // The history leads from each version to the next, with as many entries as there are lines.
  const entries = await vault.log({ path: null, limit: Number.MAX_SAFE_INTEGER });
  expect(entries).toHaveLength(lines.length);
  const last = new Map<string, string>();
  for (const change of entries.toReversed().flatMap((entry) => entry.changes)) {
    if (change.kind === "create") last.set(change.path, change.after ?? "");
    if (change.kind !== "modify" || !("wholeBefore" in change.kept)) continue;
    expect(change.kept.wholeBefore).toBe(last.get(change.path));
    last.set(change.path, change.kept.wholeAfter);
  }
  for (const [note, hash] of last) expect((await vault.get(note)).version).toBe(hash);

  await fillIndex(vault, await createTeamIndex(database, await makeVaultRow(database, "fresh")));
  expect(await indexContents(url, "shared")).toEqual(await indexContents(url, "fresh"));
});
