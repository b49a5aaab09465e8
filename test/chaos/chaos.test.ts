import { expect, it } from "vitest";

import { runChaos } from "./chaos.ts";

const KILLS = 25;

// Bounded to about a minute. `npm run chaos -- --minutes N` goes on with other seeds for as long as you like.
it.each([1, 2])(
  `loses nothing and leaves nothing wrong through ${KILLS} kills, seed %i`,
  async (seed) => {
    const { problems, kills, done, cut, undone } = await runChaos({
      seed,
      kills: KILLS,
      forgivesLate: true,
    });
    expect(problems).toEqual([]);
    expect(kills).toBe(KILLS);
    // Else it would have proven little.
    for (const count of [done, cut, undone]) expect(count).toBeGreaterThan(0);
  },
);
