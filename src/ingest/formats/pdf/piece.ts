/** A rectangle on a page, in points, from its top left corner. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A piece of text in one font on one line. */
export interface Piece extends Box {
  /** In the order of reading, with its spaces. */
  readonly text: string;
  readonly baseline: number;
  readonly size: number;
  readonly isBold: boolean;
  readonly isMono: boolean;
  readonly isRightToLeft: boolean;
  /** Where a link on it leads. */
  readonly address?: string;
  /** The id of the marked content it belongs to, in tagged documents; `artifact` for what is no content, such as page numbers. */
  readonly mark?: string;
}

/** A straight line that is drawn. */
export interface Rule extends Box {
  readonly isUpright: boolean;
}

export function overlap(one: readonly [number, number], other: readonly [number, number]): number {
  return Math.min(one[1], other[1]) - Math.max(one[0], other[0]);
}

/** The smallest box around others. */
export function around(boxes: readonly Box[]): Box {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.left);
    right = Math.max(right, box.right);
    top = Math.min(top, box.top);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, right, top, bottom };
}

/** The same box on a page seen in a mirror: what is read from right to left is then laid out as what is read from left to right. */
export function mirrored<T extends Box>(box: T, width: number): T {
  return { ...box, left: width - box.right, right: width - box.left };
}

export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** The value with the largest weight. */
export function heaviest<T>(weighed: Iterable<readonly [T, number]>): T | undefined {
  const sums = new Map<T, number>();
  for (const [value, weight] of weighed) sums.set(value, (sums.get(value) ?? 0) + weight);
  let best: T | undefined;
  let most = 0;
  for (const [value, sum] of sums) if (sum > most) [best, most] = [value, sum];
  return best;
}
