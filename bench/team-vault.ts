/*
 * The vault of a team as a whole, beside a folder of the same notes: import, reading and writing by tools, what another replica finds, and many
 * vaults in one process.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { openTeamVault } from "../src/compose-team.ts";
import { createTeamIndex } from "../src/index/create-index.ts";
import { readIndexed } from "../src/index/fill-index.ts";
import type { SearchIndex } from "../src/index/search-index.ts";
import { ServedVault, type AskedBy } from "../src/server/team/served-vault.ts";
import { VaultHost } from "../src/server/team/vault-host.ts";
import { Notices } from "../src/storage/postgres/notices.ts";
import { openPostgres, type Postgres } from "../src/storage/postgres/postgres.ts";
import { Rights, SCOPES } from "../src/team/rights/rights.ts";
import { TeamService } from "../src/team/team-service.ts";
import { callTool } from "../src/tools/call.ts";
import { createSession } from "../src/tools/session.ts";
import { findVaultRow, makeVaultRow } from "../src/vault/postgres/vault-row.ts";
import { createVault, type CallersVault } from "../src/vault/vault.ts";
import type { CleanUp } from "./clean-up.ts";
import { generateVault } from "./generate-vault.ts";
import { compare, milliseconds, report, seconds, summarise, type Work } from "./measure.ts";
import { requestFor } from "./search-queries.ts";
import { indexFiles, writeVault } from "./vault-on-disk.ts";

const MAIN = path.join(import.meta.dirname, "../src/cli/main.ts");
const NAME = "imported";
/** Writes that are looked for on the other replica. */
const FOUND = 200;
const VAULTS = 1000;

export interface TeamBench {
  readonly database: Postgres;
  readonly url: string;
  readonly files: number;
  readonly cleanUp: CleanUp;
}

/** A vault with its index, on a disk or in rows. */
interface Side {
  readonly vault: CallersVault;
  readonly index: SearchIndex;
  /** What a change needs besides until it is found: on a disk, the job does it a moment later. */
  readonly follow: (path: string) => Promise<void>;
}

export async function benchTeamVault(bench: TeamBench): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-bench-team-vault-"));
  bench.cleanUp.add(() => rmSync(folder, { recursive: true, force: true }));
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeVault(root, bench.files);
  const disk = await imported(bench, root, state);
  await byTools(bench, root, state, disk);
  await disk.close();
  await manyVaults(bench);
}

/** Imports the folder, and makes the first index of the same folder with SQLite. */
async function imported(
  { url, files }: TeamBench,
  root: string,
  state: string,
): Promise<SearchIndex> {
  const started = performance.now();
  const args = ["import", root, "--vault", NAME, "--database", url, "--state", `${state}-import`];
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
  const took = performance.now() - started;
  const began = performance.now();
  const disk = await indexFiles(root, state);
  const beside = performance.now() - began;
  const each = Math.round(files / (took / 1000));
  console.log(
    `import of ${files} notes: ${seconds(took)}, ${each} notes a second; first index of the folder with SQLite: ${seconds(beside)}`,
  );
  return disk;
}

async function byTools(
  { database, url, files, cleanUp }: TeamBench,
  root: string,
  state: string,
  diskIndex: SearchIndex,
): Promise<void> {
  const onDisk = createVault({ root, state });
  cleanUp.add(() => onDisk.close());
  const row = await findVaultRow(database, NAME);
  const now = (): Date => new Date();
  const team = await openTeamVault({ database, row, now, policy: () => "none" });
  const sides: readonly [Side, Side] = [
    {
      vault: onDisk,
      index: diskIndex,
      follow: async (file) => {
        const read = await readIndexed(onDisk, file);
        if (read !== null) await diskIndex.put(read);
      },
    },
    { ...team, follow: async () => {} },
  ];
  const names = [...generateVault(Math.min(files, 500))].map((each) => each.path);
  let turn = 0;
  const read =
    (side: Side): Work =>
    async () => {
      turn += 1;
      await call(side, "read", { paths: [`vault/${names[turn % names.length] ?? ""}`] });
    };
  const write =
    (side: Side): Work =>
    async () => {
      turn += 1;
      const file = `bench/${turn}.md`;
      await call(side, "write", {
        path: `vault/${file}`,
        content: `# Note ${turn}\n\nLa pompe.\n`,
      });
      await side.follow(file);
    };
  for (const [what, work] of [
    ["read a note", read],
    ["write a note, until it is found", write],
  ] as const) {
    const [ours, theirs] = await compare(sides.map(work), { rounds: 60 });
    if (ours === undefined || theirs === undefined) continue;
    console.log(
      `${what}: ${milliseconds(ours.median)} / ${milliseconds(ours.p95)} → ${milliseconds(theirs.median)} / ${milliseconds(theirs.p95)}, ${(theirs.median / ours.median).toFixed(1)}×`,
    );
  }
  const other = await openPostgres({ url });
  cleanUp.add(async () => other.close());
  await foundElsewhere(sides[1], await createTeamIndex(other, await findVaultRow(other, NAME)));
}

async function call({ vault, index }: Side, tool: string, args: unknown): Promise<void> {
  const session = createSession("bench");
  const common = { vault, index, session, now: () => new Date(), batch: null };
  const result = await callTool(tool, args, { ...common, profile: "update" });
  if (result.isError) throw new Error(JSON.stringify(result.content));
}

/** From the answer to a write until a search of another replica has found it. */
async function foundElsewhere(side: Side, other: SearchIndex): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < FOUND; at += 1) {
    const word = `unheard${at}of`;
    await call(side, "write", { path: `vault/found/${at}.md`, content: `# ${word}\n` });
    const started = performance.now();
    while ((await other.search(requestFor(word))).hits.length === 0);
    times.push(performance.now() - started);
  }
  const { median, p95 } = summarise(times);
  const figure = `${milliseconds(median)} / ${milliseconds(p95)}`;
  report("a write, until another replica finds it", figure, "50 ms p95", p95 <= 50);
}

const BY_OPERATOR: AskedBy = {
  person: null,
  rights: new Rights([{ folder: "", role: "owner" }]),
  limit: { scopes: SCOPES, folder: null },
  from: { credential: "operator", address: null },
  mayRead: async () => true,
};

/** What a process takes for vaults that nobody uses at the moment: opened, asked once over HTTP, and all asked again. */
async function manyVaults({ url, cleanUp }: TeamBench): Promise<void> {
  const database = await openPostgres({ url });
  cleanUp.add(async () => database.close());
  const notices = new Notices(url);
  await notices.start();
  cleanUp.add(async () => notices.close());
  const onBug = (error: unknown): void => {
    throw error;
  };
  const common = { database, now: () => new Date(), onBug };
  const host = new VaultHost({
    ...common,
    isListening: () => notices.isListening,
    open: async (row) => {
      const given = { notices, scratch: path.join(tmpdir(), "coffre-bench-none"), model: null };
      const all = { ...common, ...given, row, dailyTokens: null, ingest: {} };
      return new ServedVault({
        ...common,
        row,
        service: await TeamService.open(all),
        version: "bench",
      });
    },
  });
  cleanUp.add(async () => host.close());
  const names = Array.from({ length: VAULTS }, (_, at) => `idle-${at}`);
  for (const name of names) await makeVaultRow(database, name);
  const all = async (ask: boolean): Promise<void> => {
    for (const name of names)
      await host.use(name, async (vault) => {
        if (!ask) return;
        const request = new Request("http://bench/api/status");
        await (await vault.fetch(request, {}, BY_OPERATOR)).text();
      });
  };
  const heap = (): number => {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  await all(false);
  const opened = (heap() - before) / VAULTS / 1000;
  report(`an idle vault of ${VAULTS}`, `${opened.toFixed(1)} kB`, "50 kB", opened <= 50);
  await all(true);
  const asked = heap();
  const each = (asked - before) / VAULTS / 1000;
  console.log(`the same, asked once over HTTP a moment ago: ${each.toFixed(1)} kB`);
  await all(true);
  await all(true);
  const grown = (heap() - asked) / 1000;
  report(
    "the heap after all were asked twice more",
    `${grown.toFixed(0)} kB`,
    "flat",
    grown < 1000,
  );
}
