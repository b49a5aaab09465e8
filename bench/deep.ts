/**
 * What `deep` costs: `npm run bench -- deep [--files N]`. One file through us into QMD's store beside QMD's own update, in the same run;
 * the comparison of vectors; and a deep search by stage, with models so small that what is left is our own part and QMD's.
 * Needs QMD: `npm ci --prefix bench/peers`.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { createIndex } from "../src/index/create-index.ts";
import { DeepIndex } from "../src/index/deep/deep-index.ts";
import type { DeepModel } from "../src/index/deep/deep-model.ts";
import { findQmd, openQmd, type InstalledQmd } from "../src/index/deep/qmd.ts";
import { VectorStore } from "../src/index/deep/vectors/vector-store.ts";
import { Random } from "../src/testing/random.ts";
import { writeTinyModels } from "../test/qmd/tiny-models.ts";
import { generateVault } from "./generate-vault.ts";
import { milliseconds, optionsOf, report, seconds, summarise } from "./measure.ts";
import { loadQmd } from "./peers/qmd.ts";
import { makeQueries, requestFor } from "./search-queries.ts";
import { writeVault } from "./vault-on-disk.ts";

const { values } = parseArgs({
  args: optionsOf(process.argv.slice(2)),
  options: { files: { type: "string", default: "10000" } },
});
const count = Number(values.files);

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** 50,000 vectors of 384 numbers: the query among all of them, and among a tenth. */
async function benchScan(folder: string): Promise<void> {
  const [vectors, dimensions] = [50_000, 384];
  const dice = new Random(1);
  const vector = (): Float32Array =>
    Float32Array.from({ length: dimensions }, () => dice.next() - 0.5);
  const store = new VectorStore({ folder, model: "bench", now: () => new Date() });
  for (let at = 0; at < vectors; at += 1000) {
    store.add(
      Array.from({ length: 1000 }, (_, more) => ({ meaning: String(at + more), vector: vector() })),
    );
  }
  const all = Array.from({ length: vectors }, (_, id) => ({ id, meaning: String(id) }));
  const some = all.filter(({ id }) => id % 10 === 0);
  const load = await timed(() => store.nearest([vector()], all, 50));
  for (const { what, sections, goal } of [
    { what: "all of 50,000 × 384", sections: all, goal: 60 },
    { what: "a tenth of them, by a scope", sections: some, goal: 20 },
  ]) {
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1)
      times.push(await timed(() => store.nearest([vector()], sections, 50)));
    const { median, p95 } = summarise(times.slice(5));
    report(
      `nearest vectors, ${what}`,
      `p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`,
      `p50 ≤ ${goal} ms`,
      median <= goal,
    );
  }
  console.log(`        first search, which loads them from the disk: ${milliseconds(load)}`);
  await store.close();
}

/** One changed file: QMD looks at all files, we give it the one. */
async function benchUpdate(installed: InstalledQmd, folder: string): Promise<void> {
  const openPeer = await loadQmd();
  const root = path.join(folder, "vault");
  writeVault(root, count);
  const files = [...generateVault(count)].filter((file) => file.path.endsWith(".md"));
  const follower = (await openWith(installed, path.join(folder, "ours"), "none.gguf")).follower;
  if (follower === undefined) throw new Error("QMD follows no files.");
  const asIndexed = (file: { path: string; text: string }, signature: string) => ({
    ...file,
    signature,
    updated: "2026-01-01T00:00:00",
  });
  const first = await timed(() => {
    for (let at = 0; at < files.length; at += 100)
      follower.apply({
        put: files.slice(at, at + 100).map((file) => asIndexed(file, "1")),
        gone: [],
      });
  });
  const ours: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const file = files[(round * 37) % files.length];
    if (file === undefined) continue;
    const changed = asIndexed({ ...file, text: `${file.text}\nchangement ${round}\n` }, "2");
    ours.push(await timed(() => follower.apply({ put: [changed], gone: [] })));
  }
  const { median, p95 } = summarise(ours);
  console.log(
    `        ours: first ${count} files ${seconds(first)}; one file p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`,
  );
  if (openPeer === null) {
    console.log("        QMD's own update is not measured: npm ci --prefix bench/peers");
    return;
  }
  const store = await openPeer(root, path.join(folder, "peer.sqlite"));
  const peerFirst = await timed(() => store.update());
  const theirs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const file = files[(round * 37) % files.length];
    if (file === undefined) continue;
    appendFileSync(path.join(root, file.path), `\nchangement ${round}\n`);
    theirs.push(await timed(() => store.update()));
  }
  await store.close();
  const peer = summarise(theirs).median;
  console.log(`        QMD's update: first ${count} files ${seconds(peerFirst)}`);
  report(
    `one file into QMD's store at ${count}, its update() / ours`,
    `${(peer / median).toFixed(0)}x (${milliseconds(peer)} / ${milliseconds(median)})`,
    "≥ 100x",
    peer / median >= 100,
  );
}

async function openWith(
  installed: InstalledQmd,
  folder: string,
  embed: string,
  more: { rerank: string | null; generate: string | null } = { rerank: null, generate: null },
): Promise<DeepModel> {
  return openQmd({ installed, folder, model: "tiny", files: { embed, ...more } });
}

/** Adds the time of each stage of a model to a table. */
function measured(model: DeepModel, times: Map<string, number[]>): DeepModel {
  const note = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const value = await work();
    times.set(stage, [...(times.get(stage) ?? []), performance.now() - started]);
    return value;
  };
  const { embedder, expand, rerank, filesWith } = model;
  return {
    ...model,
    embedder: {
      model: embedder.model,
      batch: embedder.batch,
      isLocal: embedder.isLocal,
      embed: async (texts, purpose, signal) =>
        purpose === "section"
          ? embedder.embed(texts, purpose, signal)
          : note("embedding of the questions", () => embedder.embed(texts, purpose, signal)),
    },
    ...(expand === undefined
      ? {}
      : { expand: async (query) => note("other wordings", () => expand(query)) }),
    ...(rerank === undefined
      ? {}
      : { rerank: async (query, texts) => note("rereading", () => rerank(query, texts)) }),
    ...(filesWith === undefined
      ? {}
      : {
          filesWith: (query, isWanted, most) => {
            const started = performance.now();
            const files = filesWith(query, isWanted, most);
            const took = performance.now() - started;
            times.set("QMD's words", [...(times.get("QMD's words") ?? []), took]);
            return files;
          },
        }),
  };
}

async function benchStages(installed: InstalledQmd, folder: string): Promise<void> {
  const models = path.join(folder, "models");
  mkdirSync(models);
  const { embed, rerank, generate } = writeTinyModels(models);
  const index = createIndex({ folder: path.join(folder, "index") });
  const times = new Map<string, number[]>();
  const deep = new DeepIndex({
    index,
    folder: path.join(folder, "vectors"),
    now: () => new Date(),
    openModel: async () =>
      measured(
        await openWith(installed, path.join(folder, "staged"), embed, { rerank, generate }),
        times,
      ),
    isBusy: () => false,
    quiet: 0,
    budget: 60_000,
  });
  const few = Math.min(count, 2000);
  const files = [...generateVault(few)].map((file) => ({
    ...file,
    updated: "2026-01-01T00:00:00",
    signature: "1",
  }));
  await deep.load(files);
  await deep.start();
  const embedding = await timed(() => deep.settled());
  console.log(
    `        ${few} files in ${(await index.stats()).chunks} sections; embedded by a model of 20 kB in ${seconds(embedding)}`,
  );
  const whole: number[] = [];
  const words: number[] = [];
  for (const query of makeQueries(25).usual) {
    whole.push(await timed(() => deep.search({ ...requestFor(query), mode: "deep" })));
    words.push(await timed(() => index.search({ ...requestFor(query), mode: "deep" })));
  }
  await deep.close();
  const rows = [["whole search", whole], ["by words alone", words], ...times] as const;
  for (const [stage, all] of rows) {
    const { median, p95 } = summarise(all.slice(3));
    console.log(
      `        ${stage.padEnd(28)} p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}`,
    );
  }
}

const folder = mkdtempSync(path.join(tmpdir(), "coffre-deep-"));
try {
  await benchScan(path.join(folder, "scan"));
  const installed = findQmd(path.join(import.meta.dirname, "peers"));
  if (installed === null) console.log("        QMD is not here: npm ci --prefix bench/peers");
  else {
    await benchUpdate(installed, folder);
    await benchStages(installed, folder);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
