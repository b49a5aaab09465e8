import { getResolvedPDFJS } from "unpdf";

import { multiplied, type Matrix } from "./matrix.ts";
import type { Rule } from "./piece.ts";

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Thicker ones are areas. */
const MOST_THICKNESS = 3;
/** Shorter ones are parts of letters and drawings. */
const LEAST_LENGTH = 6;
/** A page with more is a drawing. */
const MOST_RULES = 4000;
/** How a path begins each of its parts. */
const [MOVE, LINE, CURVE, QUADRATIC] = [0, 1, 2, 3];

interface Operators {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/** The straight lines among what a page draws: borders of tables, and thin rectangles that stand for them. */
export async function drawnRules(
  { fnArray, argsArray }: Operators,
  toPage: readonly number[],
): Promise<Rule[]> {
  const { OPS } = await getResolvedPDFJS();
  const rules: Rule[] = [];
  const saved: Matrix[] = [];
  let matrix = matrixOf(toPage) ?? IDENTITY;
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at];
    if (operator === OPS.save) saved.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd)
      matrix = saved.pop() ?? matrix;
    else if (operator === OPS.transform) matrix = multiplied(matrix, matrixOf(args) ?? IDENTITY);
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix);
      matrix = multiplied(matrix, matrixOf(Array.isArray(args) ? args[0] : null) ?? IDENTITY);
    } else if (operator === OPS.constructPath && Array.isArray(args)) {
      const [paint, paths]: unknown[] = args;
      const isDrawn = paint !== OPS.endPath;
      if (isDrawn && Array.isArray(paths)) addRules(paths[0], matrix, rules);
    }
    if (rules.length > MOST_RULES) return [];
  }
  return rules;
}

function matrixOf(value: unknown): Matrix | null {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return null;
  const [a, b, c, d, e, f] = Array.from(Object.values(value), Number);
  if (f === undefined) return null;
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f];
}

/** Each part of a path that is a straight line, or a rectangle as thin as one. */
function addRules(path: unknown, [a, b, c, d, e, f]: Matrix, rules: Rule[]): void {
  if (!(path instanceof Float32Array)) return;
  const place = (at: number): Point => {
    const [x, y] = [path[at] ?? 0, path[at + 1] ?? 0];
    return { x: a * x + c * y + e, y: b * x + d * y + f };
  };
  let points: Point[] = [];
  let isStraight = true;
  const close = (): void => {
    if (isStraight) addOutline(points, rules);
    [points, isStraight] = [[], true];
  };
  for (let at = 0; at < path.length; at += 1) {
    const part = path[at];
    if (part === MOVE) close();
    if (part === MOVE || part === LINE) {
      points.push(place(at + 1));
      at += 2;
    } else if (part === CURVE || part === QUADRATIC) {
      isStraight = false;
      at += part === CURVE ? 6 : 4;
    } else if (points[0] !== undefined) points.push(points[0]);
  }
  close();
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function addOutline(points: readonly Point[], rules: Rule[]): void {
  if (points.length < 2) return;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const whole = ruleOf(Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys));
  if (whole !== null) {
    rules.push(whole);
    return;
  }
  // A rectangle is its four sides.
  for (const [at, to] of points.entries()) {
    const from = points[at - 1];
    if (from === undefined) continue;
    const side = ruleOf(
      Math.min(from.x, to.x),
      Math.max(from.x, to.x),
      Math.min(from.y, to.y),
      Math.max(from.y, to.y),
    );
    if (side !== null) rules.push(side);
  }
}

function ruleOf(left: number, right: number, top: number, bottom: number): Rule | null {
  const [width, height] = [right - left, bottom - top];
  if (Math.min(width, height) > MOST_THICKNESS || Math.max(width, height) < LEAST_LENGTH)
    return null;
  return { left, right, top, bottom, isUpright: height > width };
}
