/** Things in order, best first, and how much that order counts. */
export interface RankedList<T> {
  readonly items: readonly T[];
  readonly weight: number;
}

/** What a first place is worth beside a second: the usual constant. */
const SMOOTHING = 60;

/** Reciprocal rank fusion: what stands high in several lists comes first. */
export function fuseRanks<T>(lists: readonly RankedList<T>[]): T[] {
  const values = new Map<T, number>();
  for (const { items, weight } of lists) {
    for (const [rank, item] of items.entries())
      values.set(item, (values.get(item) ?? 0) + weight / (SMOOTHING + rank + 1));
  }
  return [...values].toSorted(([, a], [, b]) => b - a).map(([item]) => item);
}

/**
 * The places of `order`, except that for every k the first k of `guarded` are among the first 2k: place 2k belongs to the k-th of
 * them, unless it was seen before. So whatever the other order is worth, nothing guarded falls further than twice its rank.
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
