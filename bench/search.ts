/**
 * Speed and memory of the built-in index: `npm run bench -- search [--files N]`, beside a bare FTS5 insert loop and, when it is
 * installed, QMD in the same run.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";

import { chunkLines } from "../src/index/chunk.ts";
import { createIndex } from "../src/index/create-index.ts";
import { parseScope } from "../src/index/scope.ts";
import type { SearchIndex } from "../src/index/search-index.ts";
import { generateVault } from "./generate-vault.ts";
import { compare, milliseconds, optionsOf, report, seconds, summarise } from "./measure.ts";
import { benchPeer } from "./search-peer.ts";
import { makeQueries, requestFor, SCOPE } from "./search-queries.ts";
import { writeVault } from "./vault-on-disk.ts";

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { files: { type: "string" } },
});
const sizes = values.files === undefined ? [10_000, 50_000] : [Number(values.files)];

/** The least that FTS5 can do: the same chunks into one table, one transaction, nothing else. */
function bareInsert(count: number, folder: string): number {
  const database = new DatabaseSync(path.join(folder, "bare.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536");
  database.exec(
    "CREATE VIRTUAL TABLE fts USING fts5 (path, heading, body, tokenize = 'unicode61 remove_diacritics 2')",
  );
  const insert = database.prepare("INSERT INTO fts VALUES (?, ?, ?)");
  const started = performance.now();
  let made = 0;
  database.exec("BEGIN");
  for (const { path: file, text } of generateVault(count)) {
    const lines = text.split("\n");
    for (const chunk of chunkLines(file, lines)) {
      insert.run(
        file,
        chunk.headings.join("\n"),
        lines.slice(chunk.start - 1, chunk.end).join("\n"),
      );
      made += 1;
    }
  }
  database.exec("COMMIT");
  const time = performance.now() - started;
  database.close();
  console.log(`        ${count} files, ${made} chunks`);
  return time;
}

/** Making the texts takes time too: it is in both measures, and is taken off both. */
function generation(count: number): number {
  const started = performance.now();
  let size = 0;
  for (const { path: file, text } of generateVault(count)) {
    const lines = text.split("\n");
    size += chunkLines(file, lines).length;
  }
  return size === 0 ? 0 : performance.now() - started;
}

async function benchLoad(count: number, folder: string): Promise<SearchIndex> {
  const made = generation(count);
  const bare = bareInsert(count, folder) - made;
  const index = createIndex({ folder: path.join(folder, "index") });
  const started = performance.now();
  const files = (function* () {
    for (const file of generateVault(count))
      yield { ...file, updated: "2026-01-01T00:00:00", signature: "x" };
  })();
  await index.load(files);
  const load = performance.now() - started - made;
  report(
    "first index / bare FTS5 insert",
    `${(load / bare).toFixed(2)}x (${seconds(load)} / ${seconds(bare)})`,
    "≤ 1.5x",
    load / bare <= 1.5,
  );
  console.log(`        database ${((await index.stats()).bytes / 1e6).toFixed(0)} MB`);
  return index;
}

async function benchSearch(index: SearchIndex): Promise<void> {
  const { usual, common, worst } = makeQueries(300);
  const scopes = [SCOPE];
  const kinds = [
    { kind: "usual", queries: usual, scopes: null, goal: 10 },
    { kind: "common", queries: common, scopes: null, goal: 10 },
    { kind: "worst", queries: worst, scopes: null, goal: 10 },
    { kind: "scoped", queries: usual, scopes, goal: 5 },
  ];
  const times: number[][] = kinds.map(() => []);
  for (const round of usual.keys()) {
    for (const [at, { queries, scopes: within }] of kinds.entries()) {
      const begun = performance.now();
      // Parsed for every search, as the tool does.
      const scope = within === null ? null : within.map(parseScope);
      const request = { ...requestFor(queries[round] ?? ""), scope };
      await index.search(request);
      times[at]?.push(performance.now() - begun);
    }
  }
  for (const [at, { kind, goal }] of kinds.entries()) {
    const { median, p95 } = summarise(times[at]?.slice(20) ?? []);
    report(
      `search, ${kind} words`,
      `p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`,
      `p95 ≤ ${goal} ms`,
      p95 <= goal,
    );
  }
}

async function benchReplace(index: SearchIndex): Promise<void> {
  const replaced: number[] = [];
  const sample = [...generateVault(8)].find((file) => file.path.includes("bucket"));
  for (let at = 0; at < 400; at += 1) {
    const text = `${sample?.text.slice(0, 3000) ?? ""}\nchangement ${at}\n`;
    const begun = performance.now();
    await index.put({
      path: `projects/p${at % 50}/bucket/bench.md`,
      text,
      updated: "2026-01-01T00:00:00",
      signature: String(at),
    });
    replaced.push(performance.now() - begun);
  }
  const { median } = summarise(replaced);
  const worst = Math.max(...replaced.slice(20));
  report(
    "replace of one 3 KB file",
    `p50 ${milliseconds(median)}, worst ${milliseconds(worst)}`,
    "p50 ≤ 1 ms, worst ≤ 5 ms",
    median <= 1 && worst <= 5,
  );
}

/**
 * The most memory a run of Node held, in MB, which that run prints in KiB. Through a shell, since Linux lets a process's peak
 * begin at the size of the one that started it.
 */
function peakMemory(...words: string[]): number {
  const command = ["-c", '"$0" "$@"; exit $?', process.execPath, ...words];
  const { status, stdout, stderr } = spawnSync("sh", command, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${words.slice(0, 2).join(" ")} failed: ${stderr}`);
  return (Number(stdout) * 1024) / 1e6;
}

function benchMemory(root: string, state: string): void {
  const program = path.join(import.meta.dirname, "search-memory.ts");
  const bare = peakMemory("-p", "process.resourceUsage().maxRSS");
  const loaded = peakMemory(program);
  const queries = Object.values(makeQueries(100)).flat();
  const most = peakMemory(program, root, state, ...queries);
  report(
    `memory, first index and ${queries.length} searches, peak`,
    `${most.toFixed(0)} MB`,
    "< 200 MB",
    most < 200,
  );
  console.log(
    `        bare Node ${bare.toFixed(0)} MB; with our code loaded from its TypeScript ${loaded.toFixed(0)} MB`,
  );
}

async function benchChunks(): Promise<void> {
  const changelog = [...generateVault(2)].find((file) => file.path.endsWith("changelog.md"));
  if (changelog === undefined) throw new Error("The generated vault has no changelog.");
  const [times] = await compare([() => chunkLines(changelog.path, changelog.text.split("\n"))], {
    rounds: 50,
  });
  const median = times?.median ?? Number.NaN;
  report(
    `chunks of a ${(changelog.text.length / 1000).toFixed(0)} KB changelog`,
    milliseconds(median),
    "< 30 ms",
    median < 30,
  );
}

async function benchSize(count: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-search-"));
  try {
    const index = await benchLoad(count, folder);
    await benchSearch(index);
    await benchReplace(index);
    await index.close();
    const root = path.join(folder, "vault");
    writeVault(root, count);
    benchMemory(root, path.join(folder, "memory-state"));
    await benchPeer(root, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await benchChunks();
for (const size of sizes) await benchSize(size);
