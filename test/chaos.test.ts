import { expect, it } from "vitest";

import { runChaos } from "./chaos/chaos.ts";

const KILLS = 200;

it(`loses nothing and leaves nothing wrong through ${KILLS} kills in the middle of work`, async () => {
  // What another program writes in the very instant a file is replaced is lost when the service is killed in that same instant.
  const options = { seed: 1, kills: KILLS, forgivesLate: true };
  const { problems, kills, done, cut, undone } = await runChaos(options);
  expect(problems).toEqual([]);
  expect(kills).toBe(KILLS);
  // Else it would have proven little.
  for (const count of [done, cut, undone]) expect(count).toBeGreaterThan(KILLS / 10);
}, 1_800_000);
