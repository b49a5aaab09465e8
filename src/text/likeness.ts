import { fold } from "./words.ts";

/** The known name closest to what was typed, when it is close enough to be meant. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const scored = known.map((name) => ({ name, distance: editDistance(typed, name) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, typed.length / 3)
    ? best.name
    : undefined;
}

/**
 * Letters to add, drop, replace or swap with their neighbour to get from `a` to `b` (Damerau–Levenshtein).
 * @param max gives up early: any larger distance is returned as `max + 1`
 */
export function editDistance(a: string, b: string, max = Number.POSITIVE_INFINITY): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let value = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      row.push(value);
      least = Math.min(least, value);
    }
    if (least > max) return max + 1;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** The pairs of neighbouring letters in a text, folded, with its ends: what {@link likeness} compares. */
export function letterPairs(text: string): Set<string> {
  const plain = ` ${fold(text)} `;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < plain.length; at += 1) pairs.add(plain.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient: 1 for the same pairs of letters, 0 for none in common. Much faster than a distance when one text meets many. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
