import { FURTHER_QUERY } from "./ranking-weights.ts";

/** What one search says of items, 0 to 1, and how much it counts. */
export interface ScoredList<T> {
  readonly scores: ReadonlyMap<T, number>;
  readonly weight: number;
}

/** The sums of what several searches say, best first. Unlike fused ranks, a search that sees no difference makes none. */
export function fuseScores<T>(lists: readonly ScoredList<T>[]): Map<T, number> {
  const sums = new Map<T, number>();
  for (const { scores, weight } of lists) {
    for (const [item, score] of scores) sums.set(item, (sums.get(item) ?? 0) + weight * score);
  }
  return new Map([...sums].toSorted(([, a], [, b]) => b - a));
}

/** Scores as shares of the best one. */
export function sharesOfBest<T>(scores: Iterable<readonly [T, number]>): Map<T, number> {
  const all = [...scores];
  const best = all.reduce((most, [, score]) => Math.max(most, score), 0) || 1;
  return new Map(all.map(([item, score]) => [item, score / best]));
}

/**
 * How near vectors are, 0 to 1, whatever the range of the model's cosines: beside the farthest of those that were found.
 * @param nearness of the nearest, in any order
 */
export function calibrated<T>(nearness: ReadonlyMap<T, number>): Map<T, number> {
  const floor = Math.max(0, Math.min(...nearness.values(), 1));
  const span = 1 - floor || 1;
  return new Map([...nearness].map(([item, near]) => [item, Math.max(0, near - floor) / span]));
}

/**
 * How far a model that finds by meaning can be trusted with a query, 0 to 1, whatever the language it was trained on: how near it puts what the
 * words found best (a model that does not know the language puts it anywhere), times how far its nearest stands out from the rest.
 * @param nearest of the model, the nearest first, with their nearness
 * @param best what the words found best; when they found nothing, there is only the model to go by
 */
export function trustIn<T>(nearest: ReadonlyMap<T, number>, best: readonly T[]): number {
  if (best.length === 0 || nearest.size === 0) return 1;
  const ranks = new Map([...nearest.keys()].map((item, rank) => [item, rank]));
  const agreement = best.reduce((sum, item) => {
    return sum + 1 - (ranks.get(item) ?? nearest.size) / nearest.size;
  }, 0);
  const contrast = Math.max(...calibrated(nearest).values());
  return (agreement / best.length) * contrast;
}

/**
 * How much the words leave to a search by meaning, 0 to 1: what their best result lacks to one that settles the query. Where they found
 * nothing it is all, and a note that is called what was asked for leaves nothing.
 */
export function leftOpen(bestByWords: number, settled: number): number {
  return Math.max(0, 1 - bestByWords / settled);
}

/** The results of several queries, each chunk once: with its best score, a little more when several queries found it. */
export function fuseQueries<T extends { readonly id: number; readonly score: number }>(
  lists: readonly (readonly T[])[],
): T[] {
  const byChunk = Map.groupBy(lists.flat(), ({ id }) => id);
  return [...byChunk.values()]
    .flatMap((found) => {
      const [best, ...others] = found.toSorted((a, b) => b.score - a.score);
      if (best === undefined) return [];
      const further = others.reduce((sum, { score }) => sum + score, 0);
      return [{ ...best, score: Math.min(1, best.score + FURTHER_QUERY * further) }];
    })
    .toSorted((a, b) => b.score - a.score);
}

/**
 * The results of queries with words, and of others that only list what a filter lets through. A list says nothing of how well its items answer:
 * each takes the score of what the words found at the same place, so that neither crowds out the other; the most there is without words.
 */
export function fuseWithListed<T extends { readonly id: number; readonly score: number }>(
  found: readonly (readonly T[])[],
  listed: readonly (readonly T[])[],
): T[] {
  const byWords = fuseQueries(found);
  if (listed.length === 0) return byWords;
  const least = byWords.at(-1)?.score ?? 1;
  const lists = listed.map((list) =>
    list.map((each, at) => ({ ...each, score: byWords[at]?.score ?? least })),
  );
  return fuseQueries([byWords, ...lists]);
}

/**
 * What one search found, and below it what only a wider one did: among more candidates the same words score otherwise, which is no reason to
 * change the order of the first.
 */
export function withWider<T extends { readonly id: number; readonly score: number }>(
  first: readonly T[],
  wider: readonly T[],
): T[] {
  const known = new Set(first.map(({ id }) => id));
  const lowest = first.at(-1)?.score ?? 1;
  const others = wider.filter(({ id }) => !known.has(id));
  return [...first, ...others.map((each) => ({ ...each, score: Math.min(each.score, lowest) }))];
}

/**
 * The places of `order`, except that for every k the first k of `guarded` are among the first 2k: place 2k belongs to the k-th of
 * them, unless it has come before. So whatever the other order is worth, nothing guarded falls further than twice its rank.
 */
export function mergeGuarded<T>(order: readonly T[], guarded: readonly T[], limit: number): T[] {
  const merged = new Set<T>();
  const rest = order.values();
  const takeNext = (items: Iterator<T>): void => {
    for (let next = items.next(); next.done !== true; next = items.next()) {
      if (merged.has(next.value)) continue;
      merged.add(next.value);
      return;
    }
  };
  const owed = guarded.values();
  while (merged.size < limit) {
    const before = merged.size;
    const due = (before + 1) / 2;
    const guard = Number.isInteger(due) ? guarded[due - 1] : undefined;
    if (guard !== undefined && !merged.has(guard)) merged.add(guard);
    else takeNext(rest);
    if (merged.size === before) takeNext(owed);
    if (merged.size === before) break;
  }
  return [...merged];
}
