/**
 * A ranking in which nothing stands above what replaced it: that is put directly above it, unless it stands higher already. Items that replace
 * each other in a circle keep the order in which they are met.
 * @param replacedBy what replaced an item, and may answer too
 */
export function putAbove<T>(ranked: readonly T[], replacedBy: (item: T) => readonly T[]): T[] {
  const placed = new Set<T>();
  const met = new Set<T>();
  const place = (item: T): void => {
    if (met.has(item)) return;
    met.add(item);
    for (const newer of replacedBy(item)) place(newer);
    placed.add(item);
  };
  for (const item of ranked) place(item);
  return [...placed];
}
