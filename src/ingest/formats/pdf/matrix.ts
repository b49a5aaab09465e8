/** What turns points of one drawing into those of another: `x' = ax + cy + e`, `y' = bx + dy + f`. */
export type Matrix = readonly [number, number, number, number, number, number];

/** The second, then the first; missing numbers are those of no change, or 0. */
export function multiplied(one: readonly number[], other: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = one;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = other;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}
