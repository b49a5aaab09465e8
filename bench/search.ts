/** Speed of the built-in index: `npm run bench -- search [--files N]`, beside a bare FTS5 insert loop in the same run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";

import { chunkLines } from "../src/index/chunk.ts";
import { parseScopes } from "../src/index/scope.ts";
import type { SearchRequest } from "../src/index/search-index.ts";
import { SqliteIndex } from "../src/index/sqlite-index.ts";
import { generateVault, vocabulary } from "./generate-vault.ts";
import { milliseconds, optionsOf, report } from "./measure.ts";

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { files: { type: "string", default: "10000" } },
});
const count = Number(values.files);
const folder = mkdtempSync(path.join(tmpdir(), "coffre-search-"));

function percentile(times: readonly number[], share: number): number {
  return (
    times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
    0
  );
}

/** The least that FTS5 can do: the same chunks into one table, one transaction, nothing else. */
function bareInsert(): number {
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
        lines.slice(chunk.lines.start - 1, chunk.lines.end).join("\n"),
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
function generation(): number {
  const started = performance.now();
  let size = 0;
  for (const { path: file, text } of generateVault(count)) {
    const lines = text.split("\n");
    size += chunkLines(file, lines).length;
  }
  return size === 0 ? 0 : performance.now() - started;
}

try {
  const made = generation();
  const bare = bareInsert() - made;
  const index = new SqliteIndex(path.join(folder, "index"));
  const started = performance.now();
  const files = (function* () {
    for (const file of generateVault(count))
      yield { ...file, updated: "2026-01-01T00:00:00", signature: "x" };
  })();
  await index.load(files);
  const load = performance.now() - started - made;
  report(
    "first index / bare FTS5 insert",
    `${(load / bare).toFixed(2)}x (${(load / 1000).toFixed(1)} s / ${(bare / 1000).toFixed(1)} s)`,
    "≤ 1.5x",
    load / bare <= 1.5,
  );
  const stats = index.stats();
  console.log(
    `        database ${(stats.bytes / 1e6).toFixed(0)} MB, memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
  );

  const words = vocabulary(60_000);
  const scope = parseScopes(["vault/projects/p1*/bucket/**"]);
  const base: Omit<SearchRequest, "queries"> = {
    mode: "fast",
    scope: null,
    limit: 10,
    from: null,
    to: null,
  };
  const times: Record<string, number[]> = { usual: [], common: [], worst: [], scoped: [] };
  for (let at = 0; at < 300; at += 1) {
    const pick = (least: number, most: number): string =>
      words[least + ((at * 7919) % (most - least))] ?? "de";
    const usual = `${pick(200, 5000)} ${pick(5000, 40_000)} ${pick(60, 400)}`;
    const common = `${pick(60, 200)} ${pick(80, 260)}`;
    const worst =
      [
        "de",
        "la the",
        pick(40, 80),
        "de la le et",
        `${pick(40, 60)} ${pick(45, 70)} ${pick(50, 80)}`,
      ][at % 5] ?? "de";
    for (const [kind, query, more] of [
      ["usual", usual, {}],
      ["common", common, {}],
      ["worst", worst, {}],
      ["scoped", usual, { scope }],
    ] as const) {
      const begun = performance.now();
      await index.search({ ...base, ...more, queries: [query] });
      times[kind]?.push(performance.now() - begun);
    }
  }
  for (const [kind, list] of Object.entries(times)) {
    const warm = list.slice(20);
    const p95 = percentile(warm, 0.95);
    const goal = kind === "scoped" ? 5 : 10;
    report(
      `search, ${kind} words`,
      `p50 ${milliseconds(percentile(warm, 0.5))}, p95 ${milliseconds(p95)}`,
      `p95 ≤ ${goal} ms`,
      p95 <= goal,
    );
  }

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
  const worst = Math.max(...replaced.slice(20));
  report(
    "replace of one 3 KB file",
    `p50 ${milliseconds(percentile(replaced, 0.5))}, worst ${milliseconds(worst)}`,
    "p50 ≤ 1 ms, worst ≤ 5 ms",
    percentile(replaced, 0.5) <= 1 && worst <= 5,
  );
  index.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
