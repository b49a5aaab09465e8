import { milliseconds } from "../measure.ts";

/** Some measurements of one thing: the median, and the quarters around it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

export type Unit = "ms" | "MB" | "share";

/** One thing that was measured, ours and what it is beside. */
export interface Row {
  readonly what: string;
  /** In the vault; null when it does not matter. */
  readonly files: number | null;
  readonly unit: Unit;
  /** In words; null for a row without one. */
  readonly goal: string | null;
  readonly isMet: boolean | null;
  readonly ours: Spread;
  readonly beside: readonly Beside[];
}

/** A peer, or the least that could do the same. */
export interface Beside {
  readonly name: string;
  readonly figure: Spread;
}

export interface Results {
  readonly at: string;
  readonly isFull: boolean;
  /** Of the machine: cores, Node, load when it began. */
  readonly machine: string;
  readonly minutes: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75), rounds: sorted.length };
}

export function one(value: number): Spread {
  return spreadOf([value]);
}

export function shown(value: number, unit: Unit): string {
  if (unit === "MB") return `${value.toFixed(0)} MB`;
  if (unit === "share") return value.toFixed(3).replace(/^0/u, "");
  return value >= 10_000 ? `${(value / 1000).toFixed(0)} s` : milliseconds(value);
}

/** The median, with its quarters when there are several. */
export function shownSpread({ median, low, high, rounds }: Spread, unit: Unit): string {
  const middle = shown(median, unit);
  return rounds < 3 ? middle : `${middle} (${shown(low, unit)} to ${shown(high, unit)})`;
}

/** Whether a figure is better than ours: less, but for a share of right answers. */
export function isBetter({ figure }: Beside, { ours, unit }: Row): boolean {
  return unit === "share" ? figure.median > ours.median : figure.median < ours.median;
}

/** How many times ours a peer's figure is. */
export function ratioOf({ figure }: Beside, { ours }: Row): string {
  const ratio = figure.median / ours.median;
  return `${ratio.toFixed(ratio < 0.1 ? 3 : ratio < 10 ? 2 : 0)}×`;
}
