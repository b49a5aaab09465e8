import { FURTHER_QUERY } from "./ranking-weights.ts";
import type { SearchHit, SectionHit } from "./search-index.ts";

/** Items in order, best first, and how much that order counts. */
export interface RankedList<T> {
  readonly items: readonly T[];
  readonly weight: number;
}

/**
 * Reciprocal rank fusion: what stands high in several lists comes first.
 * @param smoothing the higher, the less a first place is worth beside a second
 */
export function fuseRanks<T>(lists: readonly RankedList<T>[], smoothing: number): T[] {
  const values = new Map<T, number>();
  for (const { items, weight } of lists) {
    for (const [rank, item] of items.entries())
      values.set(item, (values.get(item) ?? 0) + weight / (smoothing + rank));
  }
  return [...values].toSorted(([, a], [, b]) => b - a).map(([item]) => item);
}

/** The results of several queries, each chunk once: with its best score, a little more when several queries found it. */
export function fuseQueries(lists: readonly (readonly SectionHit[])[]): SearchHit[] {
  const byChunk = Map.groupBy(lists.flat(), ({ id }) => id);
  return [...byChunk.values()]
    .flatMap((found) => {
      const [best, ...others] = found.map(({ hit }) => hit).toSorted((a, b) => b.score - a.score);
      if (best === undefined) return [];
      const further = others.reduce((sum, { score }) => sum + score, 0);
      return [{ ...best, score: Math.min(1, best.score + FURTHER_QUERY * further) }];
    })
    .toSorted((a, b) => b.score - a.score);
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
