/** Times of one piece of work over several rounds, in milliseconds. */
export interface Times {
  readonly median: number;
  readonly p95: number;
}

export type Work = () => unknown;

/**
 * Runs the given works in turn, round after round, so that a busy moment of the machine falls on all of them.
 * @param inner how often each work runs within a round, for works shorter than the clock's grain
 * @returns the times of each work, in the order given
 */
export async function compare(
  works: readonly Work[],
  { rounds, inner = 1 }: { rounds: number; inner?: number },
): Promise<Times[]> {
  const times: number[][] = works.map(() => []);
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    for (const [at, work] of works.entries()) {
      const started = performance.now();
      for (let run = 0; run < inner; run += 1) await work();
      // The first rounds only warm up.
      if (round >= 0) times[at]?.push((performance.now() - started) / inner);
    }
  }
  return times.map(summarise);
}

/** The median and the 95th percentile of some times. */
export function summarise(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** The median of the fastest of some works: the bound to compare with. */
export function fastest(...times: (Times | undefined)[]): number {
  return Math.min(...times.map((each) => each?.median ?? Number.POSITIVE_INFINITY));
}

/** One line of a report: what, its figure, its goal, and whether it is met. */
export function report(what: string, figure: string, goal: string, met: boolean): void {
  console.log(
    `${met ? "met   " : "MISSED"}  ${what.padEnd(46)} ${figure.padEnd(34)} goal: ${goal}`,
  );
}

export function milliseconds(value: number): string {
  return value < 1 ? `${(value * 1000).toFixed(0)} µs` : `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

export function seconds(value: number): string {
  return `${(value / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** The options of a benchmark: what follows the names, from the first `--` on. */
export function optionsOf(words: readonly string[]): string[] {
  const first = words.findIndex((word) => word.startsWith("--"));
  return first < 0 ? [] : words.slice(first);
}
