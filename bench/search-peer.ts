import path from "node:path";

import type { SearchIndex } from "../src/index/search-index.ts";
import { milliseconds, percent, report, seconds, summarise } from "./measure.ts";
import { loadQmd, type QmdStore } from "./peers/qmd.ts";
import { makeQueries, requestFor } from "./search-queries.ts";
import { indexFiles } from "./vault-on-disk.ts";

const WARM_UP = 20;

async function time<T>(work: () => Promise<T>): Promise<{ value: T; took: number }> {
  const started = performance.now();
  const value = await work();
  return { value, took: performance.now() - started };
}

/** @param goal how many times faster we want to be */
function reportRatio(
  what: string,
  { ours, theirs }: { ours: number; theirs: number },
  goal: number,
): void {
  const show = ours < 1000 ? milliseconds : seconds;
  report(
    `${what}, ours / QMD`,
    `${(ours / theirs).toFixed(2)}x (${show(ours)} / ${show(theirs)})`,
    `≤ ${(1 / goal).toFixed(2)}x (${goal}x faster)`,
    theirs / ours >= goal,
  );
}

/** Times of one side, and how many of its answers were empty. */
class Side {
  readonly #times: number[] = [];
  #empty = 0;

  async ask(search: () => Promise<number>): Promise<void> {
    const { value, took } = await time(search);
    this.#times.push(took);
    if (value === 0) this.#empty += 1;
  }

  get median(): number {
    return summarise(this.#times.slice(WARM_UP)).median;
  }

  describe(): string {
    const { median, p95 } = summarise(this.#times.slice(WARM_UP));
    const empty = percent(this.#empty / this.#times.length);
    return `p50 ${milliseconds(median)}, p95 ${milliseconds(p95)}, ${empty} empty`;
  }
}

/** The same queries to both, in turn, so that a busy moment of the machine falls on both. */
async function compareSearches(index: SearchIndex, store: QmdStore): Promise<void> {
  const kinds = Object.entries(makeQueries(300)).map(([kind, queries]) => ({
    kind,
    queries,
    ours: new Side(),
    theirs: new Side(),
  }));
  for (let at = 0; at < 300; at += 1) {
    for (const { queries, ours, theirs } of kinds) {
      const query = queries[at] ?? "";
      const request = requestFor(query);
      await ours.ask(async () => (await index.search(request)).hits.length);
      await theirs.ask(async () => (await store.searchLex(query, { limit: request.limit })).length);
    }
  }
  for (const { kind, ours, theirs } of kinds) {
    reportRatio(`search p50, ${kind} words`, { ours: ours.median, theirs: theirs.median }, 3);
    console.log(`        ours ${ours.describe()}; QMD ${theirs.describe()}`);
  }
}

/**
 * First index and search of a vault on disk beside QMD's search by words: both read the same files, and answer the same
 * queries. QMD wants all words of a query in one file.
 */
export async function benchPeer(root: string, folder: string): Promise<void> {
  const openQmd = await loadQmd();
  if (openQmd === null) {
    console.log("        QMD is not here to compare with: npm ci --prefix bench/peers");
    return;
  }
  const ours = await time(() => indexFiles(root, path.join(folder, "peer-state")));
  const theirs = await time(async () => {
    const store = await openQmd(root, path.join(folder, "qmd.sqlite"));
    const { indexed } = await store.update();
    return { store, indexed };
  });
  const index = ours.value;
  const { store, indexed } = theirs.value;
  try {
    const { files } = await index.stats();
    if (files !== indexed) throw new Error(`We indexed ${files} files, QMD ${indexed}.`);
    reportRatio("first index from files", { ours: ours.took, theirs: theirs.took }, 6);
    await compareSearches(index, store);
  } finally {
    await index.close();
    await store.close();
  }
}
