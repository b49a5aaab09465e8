import path from "node:path";

import { isInScope, parseScope } from "../src/index/scope.ts";
import type { SearchIndex } from "../src/index/search-index.ts";
import { milliseconds, percent, report, seconds, summarise } from "./measure.ts";
import { loadQmd, QMD_PREFIX, type QmdStore } from "./peers/qmd.ts";
import { makeQueries, requestFor, SCOPE } from "./search-queries.ts";
import { indexFiles } from "./vault-on-disk.ts";

const WARM_UP = 20;

async function time<T>(work: () => Promise<T>): Promise<{ value: T; took: number }> {
  const started = performance.now();
  const value = await work();
  return { value, took: performance.now() - started };
}

function reportRatio(what: string, { ours, theirs }: { ours: number; theirs: number }): void {
  const show = ours < 1000 ? milliseconds : seconds;
  report(
    `${what}, ours / QMD`,
    `${(ours / theirs).toFixed(2)}x (${show(ours)} / ${show(theirs)})`,
    "≤ 1x",
    ours <= theirs,
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

/** QMD has no scope: asks for more until enough of it are there, or there are no more. */
async function searchWithin(store: QmdStore, query: string, most: number): Promise<number> {
  const scope = [parseScope(SCOPE)];
  for (let limit = most; ; limit *= 8) {
    const found = await store.searchLex(query, { limit });
    const inside = found.filter(({ filepath }) =>
      isInScope(scope, filepath.slice(QMD_PREFIX.length)),
    );
    if (inside.length >= most || found.length < limit) return Math.min(most, inside.length);
  }
}

/** The same queries to both, in turn, so that a busy moment of the machine falls on both. */
async function compareSearches(index: SearchIndex, store: QmdStore): Promise<void> {
  const queries = makeQueries(300);
  const kinds = [
    ...Object.entries(queries).map(([kind, asked]) => ({ kind, asked, isScoped: false })),
    { kind: "scoped", asked: queries.usual, isScoped: true },
  ].map((each) => ({ ...each, ours: new Side(), theirs: new Side() }));
  for (let at = 0; at < 300; at += 1) {
    for (const { asked, isScoped, ours, theirs } of kinds) {
      const query = asked[at] ?? "";
      const request = requestFor(query);
      const { limit } = request;
      await ours.ask(async () => {
        // Parsed for every search, as the tool does.
        const scope = isScoped ? [parseScope(SCOPE)] : null;
        return (await index.search({ ...request, scope })).hits.length;
      });
      await theirs.ask(async () =>
        isScoped
          ? searchWithin(store, query, limit)
          : (await store.searchLex(query, { limit })).length,
      );
    }
  }
  for (const { kind, ours, theirs } of kinds) {
    reportRatio(`search p50, ${kind} words`, { ours: ours.median, theirs: theirs.median });
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
    reportRatio("first index from files", { ours: ours.took, theirs: theirs.took });
    await compareSearches(index, store);
  } finally {
    await index.close();
    await store.close();
  }
}
