import { spreadOf, type Spread } from "./figures.ts";

const FEWEST = 3;

/** Something that is measured: a call, and how long it took in milliseconds. Fails when its answer is not right. */
export interface Timed {
  readonly name: string;
  readonly run: (round: number) => Promise<number>;
}

/**
 * Runs each in turn, round after round, so that a busy moment of the machine falls on all of them: until there are enough rounds or the time
 * is over. The first rounds only warm up. One that fails is left out, with a word about it.
 * @param seconds for all of them together
 */
export async function inTurn(
  all: readonly Timed[],
  { rounds, seconds, warmUp }: { rounds: number; seconds: number; warmUp: number },
): Promise<Map<string, Spread>> {
  const times = new Map<Timed, number[]>(all.map((each) => [each, []]));
  const began = performance.now();
  let warm = warmUp;
  for (let round = 0; round < warm + rounds; round += 1) {
    const share = (performance.now() - began) / (seconds * 1000);
    // Slow ones are warm after fewer.
    if (round > 0 && round < warm && share > 1 / 3) warm = round;
    if (round >= warm + FEWEST && share > 1) break;
    for (const [each, taken] of times) {
      try {
        taken.push(await each.run(round));
      } catch (error) {
        console.log(`        ${each.name} is left out: ${String(error).slice(0, 300)}`);
        times.delete(each);
      }
    }
  }
  return new Map([...times].map(([{ name }, taken]) => [name, spreadOf(taken.slice(warm))]));
}
