/** Times of one piece of work over several rounds, in milliseconds. */
export interface Times {
  readonly median: number;
  readonly p95: number;
}

export type Work = () => unknown;

/**
 * Runs the given works in turn, round after round, so that a busy moment of the machine falls on all of them.
 * @param inner how often each work runs within a round, for works shorter than the clock's grain
 */
export async function compare<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  { rounds, inner = 1 }: { rounds: number; inner?: number },
): Promise<Record<Name, Times>> {
  const names = Object.keys(works) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    for (const name of names) {
      const started = performance.now();
      for (let run = 0; run < inner; run += 1) await works[name]();
      // The first rounds only warm up.
      if (round >= 0) times.get(name)?.push((performance.now() - started) / inner);
    }
  }
  const result = names.map((name) => [name, summarise(times.get(name) ?? [])] as const);
  return Object.fromEntries(result) as Record<Name, Times>;
}

function summarise(times: number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
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
